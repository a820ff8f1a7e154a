import { keyLabel, keyUri, type FileKey, type SessionFolder } from '../core/fileKey';
import type { ApprovalAnswer, ApprovalKind } from './approvals';
import type { SavedLook } from './capture/savedLook';
import { CommandOutput } from './commandOutput';
import type { RunningCommand, Shell } from './commands';
import {
  ToolError,
  type AgentCommand,
  type AgentFile,
  type CommandResult,
  type OutsideTool,
  type WorkspaceFiles,
} from './ports';

/** What changed in the workspace since it was begun. */
export interface CommandCapture {
  /** Records what changed so far, once it has settled; `more` says that processes of a command go on. */
  record(more: boolean): Promise<void>;
  /** Ends it: nothing is recorded any more. */
  end(): Promise<void>;
}

/** Sees the workspace before a command, so that what it changed can be taken back. */
export interface CommandWatcher {
  /** Says in words for people what a command may change for good, and which unsaved text it does not see but for `saved`. */
  uncovered(saved?: readonly FileKey[]): Promise<readonly string[]>;
  /** Keeps what can change and is kept nowhere else. */
  begin(signal: AbortSignal): Promise<CommandCapture>;
  /**
   * Records what a command changed that a crash cut off, by the look that was kept before it; what was written after
   * `until`, in milliseconds since the epoch, is somebody's work by hand. Throws where the folders cannot be looked at.
   */
  resume(look: SavedLook, until: number): Promise<void>;
}

export interface CommandPorts {
  /** Missing where the host has no processes, as is the watcher. */
  readonly shell?: Shell;
  readonly watcher?: CommandWatcher;
  /** Said where nothing watches the workspace, in words for people. */
  readonly unwatched: string;
  readonly folders: () => readonly SessionFolder[];
  readonly files: WorkspaceFiles;
  readonly signal: AbortSignal;
  /** Asks for leave; `asIs` offers to run without saving. */
  readonly ask: (
    kind: ApprovalKind,
    detail: string,
    note: () => Promise<string>,
    asIs: boolean,
  ) => Promise<ApprovalAnswer>;
  /** The files the agent changed in editors with unsaved text, and that are unsaved still. */
  readonly leftUnsaved: () => Promise<readonly FileKey[]>;
  /** Says that files are saved before a command runs, in words for people. */
  readonly savesFirst: (names: string) => string;
}

/** Output is shown so often, in milliseconds. */
const showEvery = 250;

/** The commands of one turn. What they leave running ends with the turn. */
export class AgentCommands {
  #left: RunningCommand[] = [];
  /** Stays open while processes of a command go on. */
  #capture: CommandCapture | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly ports: CommandPorts) {}

  /** Runs one command line after the other: what one changes is not taken for another's. */
  run(
    command: AgentCommand,
    resolve: (path: string) => Promise<AgentFile>,
  ): Promise<CommandResult> {
    const running = this.#last.then(() => this.runOne(command, resolve));
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** Lets a tool of somebody else work once that is allowed; what it changes is recorded like a command's. */
  use(tool: OutsideTool, input: object): Promise<string> {
    const running = this.#last.then(() => this.useOne(tool, input));
    this.#last = running.catch(() => undefined);
    return running;
  }

  private async useOne(tool: OutsideTool, input: object): Promise<string> {
    const { watcher, signal, unwatched } = this.ports;
    const note = async (): Promise<string> =>
      [JSON.stringify(input, null, 2), ...((await watcher?.uncovered()) ?? [unwatched])].join('\n');
    if ((await this.ports.ask('tools', tool.name, note, false)) === 'deny')
      throw new ToolError('The user did not allow this tool.', true);
    await this.endCapture();
    this.#capture = await watcher?.begin(signal);
    let onStop = (): void => undefined;
    // A tool may not heed that it is called off; the turn does not wait for it then.
    const stopped = new Promise<never>((_, reject) => {
      onStop = () => reject(new Error('The user stopped the turn.'));
    });
    signal.addEventListener('abort', onStop);
    try {
      if (signal.aborted) throw new Error('The user stopped the turn before the tool began.');
      return await Promise.race([tool.invoke(input, signal), stopped]);
    } catch (error) {
      if (signal.aborted) throw error;
      throw new ToolError(error instanceof Error ? error.message : String(error));
    } finally {
      signal.removeEventListener('abort', onStop);
      if (this.#left.length > 0) await this.#capture?.record(true);
      else await this.endCapture();
    }
  }

  /** Ends what still runs, and records what it changed. */
  async close(): Promise<void> {
    await this.#last;
    await Promise.all(this.#left.map((command) => command.stop()));
    this.#left = [];
    await this.endCapture();
  }

  private async runOne(
    command: AgentCommand,
    resolve: (path: string) => Promise<AgentFile>,
  ): Promise<CommandResult> {
    const { shell, watcher, signal } = this.ports;
    if (command.line.trim() === '') throw new ToolError('A command line is needed.');
    const folder = await this.folderOf(command.folder, resolve);
    if (watcher === undefined || shell?.handles(folder.uri) !== true)
      throw new ToolError('Commands cannot run here: this window has no processes of its own.');
    const detail = folder.label === undefined ? command.line : `${command.line}\n(${folder.label})`;
    const unsaved = await this.ports.leftUnsaved();
    const note = async (): Promise<string> => {
      const names = unsaved.map((file) => keyLabel(this.ports.folders(), file)).join(', ');
      const saves = unsaved.length === 0 ? [] : [this.ports.savesFirst(names)];
      return [...saves, ...(await watcher.uncovered(unsaved))].join('\n');
    };
    const answer = await this.ports.ask('command', detail, note, unsaved.length > 0);
    if (answer === 'deny') throw new ToolError('The user did not allow this command.', true);
    // A command sees the disk: without this it would not see what the agent has just written.
    if (answer !== 'asIs') for (const file of unsaved) await this.ports.files.saveUnsaved(file);
    await this.endCapture();
    this.#capture = await watcher.begin(signal);
    try {
      if (signal.aborted) throw new Error('The user stopped the turn before the command began.');
      return await this.carryOut(shell, command, folder.uri);
    } finally {
      if (this.#left.length > 0) await this.#capture.record(true);
      else await this.endCapture();
    }
  }

  private async carryOut(
    shell: Shell,
    { line, timeoutMs, onOutput }: AgentCommand,
    folder: string,
  ): Promise<CommandResult> {
    const { signal } = this.ports;
    const output = new CommandOutput();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const running = shell.start({
      line,
      folder,
      timeoutMs,
      onOutput: (text) => {
        output.add(text);
        timer ??= setTimeout(() => {
          timer = undefined;
          onOutput(output.text());
        }, showEvery);
      },
    });
    const stop = (): void => void running.stop();
    signal.addEventListener('abort', stop);
    try {
      const end = await running.ended;
      const leftRunning = end.why === 'exited' && end.leftRunning;
      if (leftRunning) this.#left.push(running);
      else await running.stop();
      const { exitCode } = end;
      return {
        why: end.why,
        output: output.text(),
        leftRunning,
        ...(exitCode !== undefined && { exitCode }),
      };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ToolError(`The command could not be started: ${why}`);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  private async endCapture(): Promise<void> {
    const capture = this.#capture;
    this.#capture = undefined;
    if (capture === undefined) return;
    try {
      await capture.record(false);
    } finally {
      await capture.end();
    }
  }

  /** Returns where a command runs; the label is missing where that is plain. */
  private async folderOf(
    path: string | undefined,
    resolve: (path: string) => Promise<AgentFile>,
  ): Promise<{ uri: string; label?: string }> {
    const folders = this.ports.folders();
    const [first, second] = folders;
    if (first === undefined) throw new ToolError('No folder is open.');
    const bare = path?.replaceAll('\\', '/').replace(/\/+$/u, '') ?? '';
    const named = folders.find((folder) => folder.name === bare);
    if (named !== undefined && second !== undefined) return { uri: named.uri, label: named.name };
    if (bare === '' || bare === '.') {
      if (second === undefined) return { uri: first.uri };
      const names = folders.map((folder) => folder.name).join(', ');
      throw new ToolError(`Say in which folder the command is to run: ${names}.`);
    }
    const { file, label } = await resolve(bare);
    const uri = /^f\d+\//u.test(file) ? keyUri(folders, file) : undefined;
    if (uri === undefined) throw new ToolError('Commands run in folders of the workspace only.');
    if ((await this.ports.files.read(file)).state.kind !== 'folder')
      throw new ToolError(`There is no folder ${label}.`);
    return { uri, label };
  }
}
