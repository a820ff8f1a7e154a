import { Emitter } from '../../engine/emitter';
import { errorText, RetraceError, toRetraceError, type ErrorCode } from '../../engine/errors';
import type { OpenSession } from '../../engine/openSession';
import { FsError } from '../../engine/ports';
import {
  parseRequest,
  type Focus,
  type HostFrame,
  type RequestFrame,
  type RequestName,
  type RequestResults,
} from '../../protocol/messages';
import { createHandlers, type Call, type Handlers } from './handlers';
import { PageMoves } from './moves';
import type { Presenter } from './presentSession';
import type { ChatServices } from './services';
import { ViewFeed } from './viewFeed';

/** Returns the answer to a request that nobody is there to handle, or nothing where it cannot be answered. */
export function refusal(data: unknown, error: unknown): HostFrame | undefined {
  const parsed = parseRequest(data);
  const { requestId, sessionId } = parsed.ok ? parsed.frame : parsed;
  if (requestId === undefined) return undefined;
  const { code, text } = toRetraceError(error, 'storage');
  return { type: 'answer', requestId, sessionId, result: { ok: false, code, message: text } };
}

/**
 * One connection to one page. Every request that can be answered is answered once, what goes wrong too; the page is kept
 * up to date with the window's current session from its `ready` on.
 */
export class ChatController {
  /** Fired when a page has asked for the first view and got it. */
  readonly becameReady = new Emitter<void>();
  readonly #feed: ViewFeed;
  readonly #handlers: Handlers;
  readonly #endCurrent: () => void;
  #ready = false;

  constructor(
    private readonly services: ChatServices,
    presenter: Presenter,
    private readonly post: (frame: HostFrame) => void,
  ) {
    const feed = new ViewFeed({ ...services, presenter }, post);
    const moves = new PageMoves(services, (session) => feed.wish(session, 'composer'));
    this.#feed = feed;
    this.#handlers = createHandlers({ services, feed, moves });
    this.#endCurrent = services.current.onChange.on((session) => feed.show(session));
  }

  /** Says whether a page is there that has its first view. */
  get ready(): boolean {
    return this.#ready;
  }

  /** Takes what came from the page. Never throws. */
  async receive(data: unknown): Promise<void> {
    const parsed = parseRequest(data);
    if (parsed.ok) {
      await this.#handle(parsed.frame);
      return;
    }
    const { requestId, sessionId, problem } = parsed;
    this.services.log.warn(`The page asked something that was not understood: ${problem}`);
    if (requestId === undefined) return;
    this.#answer(requestId, sessionId, {
      ok: false,
      code: 'invalid',
      message: this.services.t('The view asked something that was not understood.'),
    });
  }

  /** Has focus put somewhere in the page, if it shows this session. */
  focus(session: OpenSession, focus: Focus): void {
    this.#feed.wish(session, focus);
  }

  /** The page is gone or hidden; the next one says `ready` again. */
  pause(): void {
    this.#ready = false;
    this.#feed.pause();
  }

  dispose(): void {
    this.#ready = false;
    this.#endCurrent();
    this.#feed.dispose();
    this.becameReady.clear();
  }

  async #handle<K extends RequestName>(frame: RequestFrame<K>): Promise<void> {
    const { name, requestId, sessionId } = frame;
    try {
      const value = await this.#run(frame);
      this.#answer(requestId, sessionId, { ok: true, value });
    } catch (error) {
      const known = this.#explain(name, error);
      this.#answer(requestId, sessionId, {
        ok: false,
        code: known.code,
        message: errorText(known, this.services.t),
      });
    }
    if (name === 'ready') this.#begun();
  }

  async #run<K extends RequestName>(frame: RequestFrame<K>): Promise<RequestResults[K]> {
    const { name, requestId, sessionId, params } = frame;
    const call: Call<K> = {
      params,
      session: () => this.#session(sessionId),
      progress: (text) => this.post({ type: 'progress', requestId, sessionId, text }),
    };
    return this.#handlers[name](call);
  }

  #session(id: string): Promise<OpenSession> {
    return id === '' ? this.services.current.get() : this.services.sessions.open(id);
  }

  /** What an answer speaks of is shown before it comes. */
  #answer(
    requestId: string,
    sessionId: string,
    result: Extract<HostFrame, { type: 'answer' }>['result'],
  ): void {
    this.#feed.flush();
    this.post({ type: 'answer', requestId, sessionId, result });
  }

  #begun(): void {
    this.#feed.release();
    if (!this.#feed.active) return;
    this.#ready = true;
    this.becameReady.fire();
  }

  #explain(name: RequestName, error: unknown): RetraceError {
    if (error instanceof RetraceError) return error;
    this.services.log.error(`The view's request ${name} failed`, error);
    const code: ErrorCode = error instanceof FsError ? 'storage' : 'invalid';
    return toRetraceError(error, code);
  }
}
