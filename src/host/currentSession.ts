import type { SessionId } from '../core/ids';
import { Emitter } from '../engine/emitter';
import type { OpenSession } from '../engine/openSession';
import type { Log } from '../engine/ports';
import type { Sessions } from '../engine/sessions';

/** The session this window shows, and commands without a session id are about. */
export interface CurrentSession {
  /** Fired with the session that is shown from now on. */
  readonly onChange: Emitter<OpenSession>;
  /** Its id, if one was chosen or opened since the window began. */
  readonly id: SessionId | undefined;
  /** Opens it: the one of last time, else the newest of this window's folders, else a new one. */
  get(): Promise<OpenSession>;
  /** Shows another one. Throws `not_found`. */
  set(id: SessionId): Promise<OpenSession>;
}

/** The part of `workspaceState` that is used. */
export interface Remembered {
  get(key: string): unknown;
  update(key: string, value: string): PromiseLike<void>;
}

const lastSession = 'retrace.lastSession';

/** {@link CurrentSession} that remembers the last one of each workspace. */
export class WindowSession implements CurrentSession {
  readonly onChange = new Emitter<OpenSession>();
  #current: OpenSession | undefined;
  #opening: Promise<OpenSession> | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly remembered: Remembered,
    private readonly log: Log,
  ) {}

  get id(): SessionId | undefined {
    return this.#current?.id;
  }

  get(): Promise<OpenSession> {
    if (this.#current !== undefined) return Promise.resolve(this.#current);
    this.#opening ??= this.#find().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async set(id: SessionId): Promise<OpenSession> {
    return this.#show(await this.sessions.open(id));
  }

  async #find(): Promise<OpenSession> {
    const session =
      (await this.#last()) ?? (await this.#newest()) ?? (await this.sessions.create());
    // Somebody may have chosen one while this was looking.
    return this.#current ?? this.#show(session);
  }

  async #last(): Promise<OpenSession | undefined> {
    const id = this.remembered.get(lastSession);
    return typeof id === 'string' ? this.#tryOpen(id) : undefined;
  }

  async #newest(): Promise<OpenSession | undefined> {
    for (const card of await this.sessions.cards()) {
      const session = await this.#tryOpen(card.id);
      if (session !== undefined) return session;
    }
    return undefined;
  }

  /** A session that cannot be opened must not keep the view from showing another one. */
  async #tryOpen(id: SessionId): Promise<OpenSession | undefined> {
    try {
      return await this.sessions.open(id);
    } catch (error) {
      this.log.warn('A session could not be opened', error);
      return undefined;
    }
  }

  #show(session: OpenSession): OpenSession {
    const changed = this.#current?.id !== session.id;
    this.#current = session;
    if (!changed) return session;
    void Promise.resolve(this.remembered.update(lastSession, session.id)).catch((error: unknown) =>
      this.log.warn('The last session could not be remembered', error),
    );
    this.onChange.fire(session);
    return session;
  }
}
