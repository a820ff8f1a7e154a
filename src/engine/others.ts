import { keyLabel } from '../core/fileKey';
import { RetraceError } from './errors';
import { linesOf, type OpenSession } from './openSession';
import type { BlobStore, Log, Runtime, WorkspaceFiles } from './ports';
import { recoverMove } from './recoverMove';
import type { DamageTexts } from './standSoundly';
import type { StoredLive } from './store/documents';
import type { SessionStore } from './store/sessionStore';
import type { TurnRunner } from './turnRunner';

/** What is said when a session opens. */
export interface RecoveryTexts extends DamageTexts {
  readonly damaged: (count: number) => string;
  readonly finishedMove: (failed: readonly string[]) => string;
  /** A reply was found whose message is missing; its text and its changes stay in the store. */
  readonly replyAlone: () => string;
}

export interface OthersPorts {
  readonly store: SessionStore;
  readonly blobs: BlobStore;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly filesOf: (session: OpenSession) => WorkspaceFiles;
  readonly turns: () => TurnRunner;
  /** How long work of another window may be silent before it counts as abandoned, in milliseconds. */
  readonly staleAfter: number;
  /** Told what was found damaged, and which cut-off work was finished, when a session opens. */
  readonly told: (session: OpenSession, text: string) => void;
  readonly texts: RecoveryTexts;
}

/** What other windows, and windows that are gone, do to the sessions of this one. */
export class Others {
  constructor(private readonly ports: OthersPorts) {}

  /** Takes over records and the draft that other windows stored since the last look. */
  async follow(session: OpenSession): Promise<void> {
    await this.look(session, () => Promise.resolve());
  }

  /** Follows, and meanwhile looks at something else. */
  private async look<T>(session: OpenSession, atElse: () => Promise<T>): Promise<T> {
    const { store } = this.ports;
    const [fresh, draft, seen] = await Promise.all([
      store.refresh(session.id),
      store.foreignDraft(session.id),
      atElse(),
    ]);
    session.follow(fresh);
    await session.followDraft(draft);
    return seen;
  }

  /** Follows, and refuses while another window is at work in the session. Finishes what a window that is gone left. */
  async beforeActing(session: OpenSession): Promise<void> {
    await this.ports.turns().finishUnfinished(session);
    const { store, runtime, staleAfter } = this.ports;
    const { lives, holds } = await this.look(session, () => store.atWork(session.id));
    const fresh = ({ savedAt }: { readonly savedAt: number }): boolean =>
      Math.abs(runtime.now() - savedAt) < staleAfter;
    const running = lives.filter((live) => this.isForeign(session, live));
    if (running.some(fresh) || holds.some(fresh)) {
      throw new RetraceError(
        'run_active',
        'Another window is at work in this session. Wait until it is done, or fork the session and go on there.',
      );
    }
    // What was at work when the records were read may have ended, and been stored, before it was looked for.
    if (running.length > 0 || session.state.unsettledMoves().length > 0) await this.follow(session);
    await this.finishMoves(session);
    for (const live of running) await this.recoverTurn(session, live);
  }

  /**
   * Finishes moves and turns that were cut off, when a session opens. What another window still works on is left alone:
   * it is followed when it is done.
   */
  async finishCutOff(session: OpenSession, lives: readonly StoredLive[]): Promise<void> {
    const { store } = this.ports;
    if (store.readOnly !== undefined) {
      this.ports.told(session, store.readOnly);
      return;
    }
    const { holds } = await store.atWork(session.id);
    const others = [...lives, ...holds].filter(({ writer }) => writer !== store.writer);
    if (others.length > 0) await this.waitForSilence(others);
    const now = await store.atWork(session.id);
    const silent = (one: { readonly writer: string; readonly savedAt: number }): boolean =>
      [...lives, ...holds].some(
        (before) => before.writer === one.writer && before.savedAt === one.savedAt,
      );
    if (others.length > 0) session.follow(await store.refresh(session.id));
    if (now.holds.every(silent)) await this.finishMoves(session);
    for (const live of now.lives) if (silent(live)) await this.recoverTurn(session, live);
  }

  private async waitForSilence(others: readonly { readonly savedAt: number }[]): Promise<void> {
    const { runtime, staleAfter } = this.ports;
    const newest = Math.max(...others.map(({ savedAt }) => savedAt));
    const wait = newest + staleAfter - runtime.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(wait, staleAfter)));
  }

  private async finishMoves(session: OpenSession): Promise<void> {
    const { blobs, filesOf, texts } = this.ports;
    for (const move of session.state.unsettledMoves()) {
      const settled = await recoverMove(session, filesOf(session), blobs, move);
      const failed = (settled.results ?? [])
        .filter((result) => result.outcome === 'failed')
        .map((result) => keyLabel(session.info.folders, result.file));
      this.ports.told(session, texts.finishedMove(failed));
      for (const line of linesOf(settled)) session.addLine(line);
    }
  }

  private async recoverTurn(session: OpenSession, live: StoredLive): Promise<void> {
    const { nodes } = session.state;
    if (nodes.has(live.node.id)) return;
    if (nodes.get(live.node.parentId ?? '')?.role !== 'user') {
      this.ports.told(session, this.ports.texts.replyAlone());
      return;
    }
    const release = await this.ports.store.hold(session.id);
    try {
      await this.ports.turns().recover(session, live);
    } finally {
      release();
    }
  }

  private isForeign(session: OpenSession, live: StoredLive): boolean {
    return live.writer !== this.ports.store.writer && !session.state.nodes.has(live.node.id);
  }
}
