import type { SessionId } from '../../core/ids';
import type { OpenSession } from '../../engine/openSession';
import type { OnConflict } from '../../engine/retrace';
import type { PerformOptions } from '../../engine/sheets';
import type { Focus } from '../../protocol/messages';
import type { Diffs } from '../diffs';
import type { Engine } from '../engine';
import type { Models } from '../models';
import type { Review } from '../review/review';
import type { SessionModes } from '../sessionModes';
import type { Submitter } from '../submit';

/** What commands stand on. The engine is opened by the first one that needs it. */
export interface CommandHost {
  engine(): Promise<Engine>;
  readonly models: Models;
  readonly modes: SessionModes;
  submitter(): Promise<Submitter>;
  diffs(): Promise<Diffs>;
  review(): Promise<Review>;
  /** Brings the chat view up with this session in it. */
  reveal(session: OpenSession, focus: Focus): Promise<void>;
  /** Brings the graph up; it shows the window's current session. */
  showGraph(): void;
}

/** A session a command is about, and the engine under it. */
export interface Target {
  readonly engine: Engine;
  readonly session: OpenSession;
}

/** Finds the session an argument names, else the window's current one. Throws `not_found`. */
export async function target(host: CommandHost, sessionId: SessionId | undefined): Promise<Target> {
  const engine = await host.engine();
  const session =
    sessionId === undefined ? await engine.current.get() : await engine.sessions.open(sessionId);
  return { engine, session };
}

/** What every command that moves takes, with its defaults: asking, and keeping where nobody is asked. */
export function performOptions(
  host: CommandHost,
  session: OpenSession,
  given: { readonly confirm?: boolean | undefined; readonly onConflict?: OnConflict | undefined },
): PerformOptions {
  const confirm = given.confirm ?? true;
  return {
    confirm,
    onConflict: given.onConflict ?? (confirm ? 'ask' : 'keep'),
    onAsk: () => void host.reveal(session, 'sheet'),
  };
}
