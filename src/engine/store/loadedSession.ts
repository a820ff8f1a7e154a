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
