import type { Link } from '../../core/changes';
import { keyLabel, type FileKey, type SessionFolder } from '../../core/fileKey';
import type { CommandWatcher } from '../agentCommands';
import type { CopyKeeper, Translate } from '../ports';
import { FolderCapture, type CapturePorts } from './capture';
import type { LookKeeper, SavedLook } from './savedLook';

/** A session whose commands are watched. */
export interface WatchedSession {
  readonly id: string;
  readonly folders: () => readonly SessionFolder[];
  /** Takes what a command did into the turn. */
  readonly adopt: (links: readonly Link[]) => Promise<void>;
  /** Where the turn keeps copies. */
  readonly copies: CopyKeeper;
  /** Takes in what a command did that a crash cut off. */
  readonly adoptCutOff: (links: readonly Link[]) => Promise<void>;
  /** Keeps the look a command is compared with. */
  readonly keeper: LookKeeper;
  /** Shows what is waited for. */
  readonly waiting: (text: string | undefined) => void;
}

const namedFolders = 6;
const progressFrom = 200;

/** All captures of one window: each is told what others write, and which of them overlap. */
export class Captures {
  readonly #open = new Set<FolderCapture>();

  constructor(
    private readonly ports: CapturePorts,
    private readonly t: Translate,
  ) {}

  /** Tells the open captures that a file was written by an editor, a move or an agent's tool. */
  told(uri: string): void {
    for (const capture of this.#open) capture.told(uri);
  }

  watch(session: WatchedSession): CommandWatcher {
    return {
      uncovered: (saved = []) => this.uncovered(session.folders(), saved),
      begin: (signal) => this.begin(session, signal),
      resume: (look, until) => this.resume(session, look, until),
    };
  }

  private async begin(session: WatchedSession, signal: AbortSignal): Promise<FolderCapture> {
    const capture: FolderCapture = new FolderCapture(
      this.ports,
      session.id,
      session.folders(),
      session.adopt,
      session.copies,
      session.keeper,
      () => this.#open.delete(capture),
    );
    for (const other of this.#open) {
      if (other.sessionId === session.id) continue;
      other.shared = true;
      capture.shared = true;
    }
    // Told from the first look on.
    this.#open.add(capture);
    try {
      let shown = 0;
      await capture.begin(signal, (done, all) => {
        if (all < progressFrom || Math.floor((done / all) * 20) === shown) return;
        shown = Math.floor((done / all) * 20);
        session.waiting(this.t('Copying files before the command runs: {0} of {1}', done, all));
      });
      return capture;
    } catch (error) {
      await capture.end();
      throw error;
    } finally {
      session.waiting(undefined);
    }
  }

  private async resume(session: WatchedSession, look: SavedLook, until: number): Promise<void> {
    const { id, folders, adoptCutOff, copies, keeper } = session;
    const ports = [folders(), adoptCutOff, copies, keeper] as const;
    await new FolderCapture(this.ports, id, ...ports, () => undefined).resume(look, until);
  }

  private async uncovered(
    folders: readonly SessionFolder[],
    saved: readonly FileKey[],
  ): Promise<readonly string[]> {
    const { t } = this;
    const lines = [
      t('What it changes outside the workspace, or under .git, cannot be taken back.'),
    ];
    const unsaved = (this.ports.unsaved?.(folders) ?? [])
      .filter((file) => !saved.includes(file))
      .map((file) => keyLabel(folders, file));
    if (unsaved.length > 0)
      lines.push(t('It sees what is saved, not the unsaved text of: {0}', unsaved.join(', ')));
    for (const { uri, name } of folders) {
      const look = await this.ports.tree.look(uri, { excludes: this.ports.excludes(uri) });
      if (look === 'too wide' || look === 'too many files' || look === 'not on this disk') {
        lines.push(t('Nothing that it changes in {0} can be taken back: it holds too much.', name));
        continue;
      }
      const ignored = [...look.ignored].map(([path, { kind }]) =>
        kind === 'folder' ? `${path}/` : path,
      );
      if (ignored.length === 0) continue;
      const named = ignored.slice(0, namedFolders).join(', ');
      const more = ignored.length - namedFolders;
      lines.push(
        more > 0
          ? t('Ignored files cannot be taken back: {0} and {1} more', named, more)
          : t('Ignored files cannot be taken back: {0}', named),
      );
    }
    return lines;
  }
}
