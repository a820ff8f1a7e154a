// Windows that end and start again, and what is asked of them.
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../kit/workbench.mts';

export interface Turn {
  readonly userMessageId: string;
  readonly assistantMessageId: string;
  readonly status: string;
}

export interface MoveResult {
  readonly restoredPaths: readonly string[];
  readonly files: readonly { readonly uri: string; readonly outcome: string }[];
}

/** Windows on one folder with one profile, started and ended as a test needs. */
export class Windows {
  readonly open: Workbench[] = [];

  constructor(
    public folder: string,
    readonly dataFolder: string,
  ) {}

  static async make(): Promise<Windows> {
    const [folder, dataFolder] = await Promise.all([
      mkdtemp(join(tmpdir(), 'retrace-restart-')),
      mkdtemp(join(tmpdir(), 'retrace-profile-')),
    ]);
    return new Windows(folder, dataFolder);
  }

  async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const window = await openWorkbench({
      folder: this.folder,
      dataFolder: this.dataFolder,
      consoleFile: 'test-results/ui/restarts.log',
      ...options,
    });
    this.open.push(window);
    return window;
  }

  /** Gives the folder another name, as a person does while no window is open. */
  async rename(): Promise<void> {
    const name = `${this.folder}-renamed`;
    await rename(this.folder, name);
    this.folder = name;
  }

  async quit(): Promise<void> {
    for (const window of this.open.splice(0).reverse()) await window.close();
  }

  file(name: string): string {
    return join(this.folder, name);
  }

  put(name: string, text: string): Promise<void> {
    return writeFile(this.file(name), text);
  }

  async text(name: string): Promise<string | undefined> {
    return readFile(this.file(name), 'utf8').catch(() => undefined);
  }

  /** Where a session is stored. */
  stored(sessionId: string): string {
    const global = join(this.dataFolder, 'data', 'User', 'globalStorage', 'retrace.retrace');
    return join(global, 'store', 'sessions', sessionId);
  }

  /** Takes away what a session stored last. */
  async forgetLastRecord(sessionId: string): Promise<void> {
    const records = join(this.stored(sessionId), 'records');
    const newest = (await readdir(records))
      .map((name) => ({ name, seq: Number.parseInt(name, 10) }))
      .sort((a, b) => b.seq - a.seq)[0];
    if (newest === undefined) throw new Error('Nothing is stored.');
    await rm(join(records, newest.name));
  }

  async remove(): Promise<void> {
    await this.quit();
    for (const place of [this.folder, this.dataFolder])
      await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export const send = (window: Workbench, sessionId: string, text: string): Promise<Turn> =>
  window.execute('retrace.send', { sessionId, text });
export const move = (window: Workbench, verb: string, argument: object): Promise<MoveResult> =>
  window.execute(`retrace.${verb}`, { confirm: false, ...argument });
export const newSession = async (window: Workbench): Promise<string> =>
  (await window.execute<{ sessionId: string }>('retrace.newSession', {})).sessionId;
