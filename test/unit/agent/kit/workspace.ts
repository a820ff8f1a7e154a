import { ToolError } from '../../../../src/engine/ports';
import type {
  AgentCommand,
  AgentFile,
  AgentWorkspace,
  CommandResult,
} from '../../../../src/engine/ports';

/** Files in memory, with the read-before-edit gate and a log of everything that was asked of them. */
export class MemoryWorkspace implements AgentWorkspace {
  readonly files = new Map<string, Uint8Array>();
  readonly log: string[] = [];
  /** Paths whose writes are refused by a person. */
  readonly denied = new Set<string>();
  /** Called before each write and awaited, so that a test can hold it up. */
  beforeWrite: (path: string) => Promise<void> = async () => undefined;
  /** What running a command comes to; without one there are no processes. */
  onRun: ((command: AgentCommand) => Promise<CommandResult>) | undefined;
  private readonly seen = new Map<string, string>();

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) {
      this.files.set(
        path,
        typeof content === 'string' ? new TextEncoder().encode(content) : content,
      );
    }
  }

  text(path: string): string | undefined {
    const bytes = this.files.get(path);
    return bytes === undefined
      ? undefined
      : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  async resolve(path: string): Promise<AgentFile> {
    if (path.includes('..')) throw new ToolError(`${path} is outside the workspace.`);
    return { file: `f1/${path}`, label: path };
  }

  async read(
    file: AgentFile,
    options?: { readonly unseen?: boolean },
  ): Promise<Uint8Array | undefined> {
    if (options?.unseen !== true) this.log.push(`read ${file.label}`);
    const bytes = this.files.get(file.label);
    if (bytes !== undefined && options?.unseen !== true) this.seen.set(file.label, key(bytes));
    return bytes;
  }

  async list(path: string) {
    this.log.push(`list ${path}`);
    const prefix = path === '' ? '' : `${path}/`;
    const entries = [...this.files.keys()]
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
    return { entries: entries.sort(), truncated: false };
  }

  async search({ pattern }: { readonly pattern: string }) {
    this.log.push(`search ${pattern}`);
    const hits = [...this.files.keys()].flatMap((label) =>
      (this.text(label) ?? '')
        .split('\n')
        .map((text, index) => ({ label, line: index + 1, text }))
        .filter(({ text }) => text.includes(pattern)),
    );
    return { hits, truncated: false };
  }

  async write(file: AgentFile, bytes: Uint8Array): Promise<{ readonly created: boolean }> {
    const before = this.files.get(file.label);
    if (this.denied.has(file.label)) throw new ToolError('The user refused this.', true);
    if (before !== undefined && this.seen.get(file.label) !== key(before)) {
      throw new ToolError(`${file.label} must be read first.`);
    }
    this.log.push(`write ${file.label} begins`);
    await this.beforeWrite(file.label);
    this.files.set(file.label, bytes);
    this.seen.set(file.label, key(bytes));
    this.log.push(`write ${file.label}`);
    return { created: before === undefined };
  }

  async delete(file: AgentFile): Promise<void> {
    if (!this.files.delete(file.label)) throw new ToolError(`There is no file ${file.label}.`);
    this.log.push(`delete ${file.label}`);
  }

  async rename(from: AgentFile, to: AgentFile): Promise<void> {
    const bytes = this.files.get(from.label);
    if (bytes === undefined) throw new ToolError(`There is no file ${from.label}.`);
    if (this.files.has(to.label)) throw new ToolError(`${to.label} exists already.`);
    this.files.delete(from.label);
    this.files.set(to.label, bytes);
    this.log.push(`rename ${from.label} ${to.label}`);
  }

  async run(command: AgentCommand): Promise<CommandResult> {
    if (this.onRun === undefined) throw new ToolError('Commands cannot run here.');
    this.log.push(`run ${command.line}`);
    return this.onRun(command);
  }
}

function key(bytes: Uint8Array): string {
  return bytes.join(',');
}
