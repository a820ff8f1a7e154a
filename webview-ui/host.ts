import type { AnswerFrame } from '../src/protocol/frames';
import type { RequestName, RequestParams, RequestResults } from '../src/protocol/messages';

/** How a request ended. `no_answer` is ours: the host stayed silent for too long. */
export type AnswerWith<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string; readonly message: string };

export type Answer<K extends RequestName> = AnswerWith<RequestResults[K]>;

export interface AskOptions<T> {
  /** Called for an answer that comes after the request was given up. */
  readonly late?: (answer: AnswerWith<T>) => void;
  readonly progress?: (text: string) => void;
}

export type RequestOptions<K extends RequestName> = AskOptions<RequestResults[K]>;

interface Pending {
  silentFor: number;
  settle: ((answer: AnswerWith<unknown>) => void) | undefined;
  readonly late: ((answer: AnswerWith<unknown>) => void) | undefined;
  readonly progress: ((text: string) => void) | undefined;
}

/** One question on its way to the host. */
export interface Question<Params> {
  readonly type: 'request';
  readonly requestId: string;
  readonly sessionId: string;
  readonly name: keyof Params;
  readonly params: Params[keyof Params];
}

const tick = 1_000;
/** How long a request may stay without answer or progress. */
export const patience = 30_000;
const keptLate = 50;

/** Asks the host and finds the answer that belongs to each question. Which questions there are is the page's protocol. */
export class HostClient<
  Params extends object = RequestParams,
  Results extends object = RequestResults,
> {
  readonly #post: (question: Question<Params>) => void;
  // A new page must not take answers meant for the one it replaces.
  readonly #prefix = crypto.randomUUID().slice(0, 8);
  readonly #pending = new Map<string, Pending>();
  #count = 0;
  #held = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(post: (question: Question<Params>) => void) {
    this.#post = post;
  }

  /** Requests not yet answered nor given up. */
  get waiting(): number {
    return [...this.#pending.values()].filter((pending) => pending.settle).length;
  }

  request<K extends keyof Params & keyof Results>(
    name: K,
    sessionId: string,
    params: Params[K],
    options: AskOptions<Results[K]> = {},
  ): Promise<AnswerWith<Results[K]>> {
    this.#count += 1;
    const requestId = `${this.#prefix}-${this.#count}`;
    return new Promise((resolve) => {
      this.#pending.set(requestId, {
        silentFor: 0,
        settle: resolve as Pending['settle'],
        late: options.late as Pending['late'],
        progress: options.progress,
      });
      this.#watch();
      this.#post({ type: 'request', requestId, sessionId, name, params });
    });
  }

  /** Stops the watchdog's clock while the user is asked something: waiting for people is no silence. */
  hold(held: boolean): void {
    this.#held = held;
  }

  /** Takes an answer or a progress frame; others are not for here. */
  receive(frame: AnswerFrame): void {
    const pending = this.#pending.get(frame.requestId);
    if (!pending) return;
    if (frame.type === 'progress') {
      pending.silentFor = 0;
      pending.progress?.(frame.text);
      return;
    }
    this.#pending.delete(frame.requestId);
    const answer = frame.result;
    if (pending.settle) pending.settle(answer);
    else pending.late?.(answer);
    this.#unwatch();
  }

  // Ticks are counted instead of comparing times, so that a laptop that slept does not give up everything at once.
  #watch(): void {
    this.#timer ??= setInterval(() => {
      if (this.#held) return;
      for (const pending of this.#pending.values()) {
        pending.silentFor += tick;
        if (pending.silentFor >= patience) this.#giveUp(pending);
      }
      this.#unwatch();
    }, tick);
  }

  #giveUp(pending: Pending): void {
    pending.settle?.({ ok: false, code: 'no_answer', message: '' });
    pending.settle = undefined;
    const given = [...this.#pending].filter(([, other]) => !other.settle);
    for (const [id] of given.slice(0, Math.max(0, given.length - keptLate))) {
      this.#pending.delete(id);
    }
  }

  #unwatch(): void {
    if (this.waiting > 0 || this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
