import type { SessionInfo, SessionRecord } from '../../core/session';
import type { DamageReport } from './damage';
import type { StoredDraft, StoredLive } from './documents';

/** A session as it opens. */
export interface LoadedSession {
  readonly info: SessionInfo;
  /** In the session's order. */
  readonly records: readonly SessionRecord[];
  /** Turns that were running when last heard of, newest first; one of this process has `writer` of the store. */
  readonly live: readonly StoredLive[];
  readonly draft: StoredDraft | undefined;
  /** What was not believed. Everything outside it has loaded. */
  readonly damage: readonly DamageReport[];
}

/** What other windows stored since the last look, in the session's order. */
export interface Followed extends Pick<LoadedSession, 'records' | 'damage'> {
  /** So many of the records, the first ones, come before what was last known to say where the session stands. */
  readonly late: number;
}
