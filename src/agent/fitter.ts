import type { ModelMessage } from 'ai';
import type { ModelConfig } from '../engine/ports';
import { messagesTokens } from './requestSize';
import type { TooLong } from './tooLong';
import { outputLimits, type OutputLimits } from './trim';

/** Messages that fit, or the least size the request could be brought to. */
export type Fitted =
  | { readonly fits: true; readonly messages: ModelMessage[]; readonly tokens: number }
  | { readonly fits: false; readonly tokens: number };

/** No more than this share of a window is kept free for the answer. */
const mostReserve = 1 / 8;
const usualAnswer = 2_048;

/**
 * Keeps the requests of one turn within what the model can take in: long outputs of tools are cut, more and more, and a
 * request as large as one that was refused is not made again. Instructions and tools are never cut.
 */
export class Fitter {
  /** Requests of this size or more are refused, as far as is known. */
  #bound: number;
  /** How many tokens of the provider one estimated here is. */
  #ratio = 1;
  #level = 0;
  #last = 0;

  constructor(
    private readonly config: ModelConfig,
    /** What instructions and tools take. */
    readonly fixedTokens: number,
    refusedTokens: number | undefined,
  ) {
    this.#bound = refusedTokens ?? Infinity;
  }

  /** Makes the messages with as little cut as fits. */
  fit(make: (limits: OutputLimits) => ModelMessage[]): Fitted {
    let tokens = 0;
    for (const [level, limits] of outputLimits.entries()) {
      if (level < this.#level) continue;
      const messages = make(limits);
      tokens = this.fixedTokens + messagesTokens(messages);
      const isLast = level === outputLimits.length - 1;
      if (tokens >= this.#bound || this.counted(tokens) > this.room(isLast)) continue;
      this.#level = level;
      this.#last = tokens;
      return { fits: true, messages, tokens };
    }
    return { fits: false, tokens };
  }

  /** Takes the provider's count of the request made last. */
  measured(inputTokens: number | undefined): void {
    if (inputTokens === undefined || this.#last < 1_000) return;
    // A provider that counts without what it had cached must not make everything seem to fit.
    this.#ratio = Math.min(Math.max(inputTokens / this.#last, 0.7), 2);
  }

  /** Takes that the request made last was too long; the next one is smaller. */
  refused({ limit, tokens }: TooLong): void {
    const ratio = tokens === undefined ? 1 : tokens / this.#last;
    const told = limit === undefined || limit >= (tokens ?? Infinity) ? Infinity : limit / ratio;
    this.#bound = Math.min(this.#bound, this.#last, told + 1);
  }

  /** The provider's tokens for some estimated ones. */
  counted(tokens: number): number {
    return Math.round(tokens * this.#ratio);
  }

  private room(all: boolean): number {
    const { contextWindow, maxOutputTokens = usualAnswer } = this.config;
    if (contextWindow === undefined) return Infinity;
    return all
      ? contextWindow
      : contextWindow - Math.min(maxOutputTokens, contextWindow * mostReserve);
  }
}
