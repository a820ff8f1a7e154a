import { streamText } from 'ai';
import type { FinishReason, LanguageModel, LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import { z } from 'zod';
import type { Usage } from '../core/node';
import type { RequestOptions } from './requestOptions';
import type { StepParts } from './stepParts';
import { isKeepAlive } from './streamErrors';
import type { Exchange } from './wire';

/** How one call of the model ended. */
export type StepEnd =
  | {
      readonly kind: 'finished';
      readonly reason: FinishReason;
      /** The provider's own word; missing when the stream just stopped. */
      readonly raw: string | undefined;
      readonly usage: Usage;
    }
  | { readonly kind: 'broken'; readonly error: unknown }
  | { readonly kind: 'silent' }
  | { readonly kind: 'stopped' };

export interface StepRequest extends RequestOptions {
  readonly model: LanguageModel;
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly idleLimitMs: number;
  readonly exchange: Exchange;
}

type Event = TextStreamPart<ToolSet>;

/**
 * Asks the model once and writes what streams in to `parts`. No tool runs here: calls are carried out only when the
 * stream has ended well. Ends at once when the turn is stopped, whatever the server or the SDK are doing.
 */
export async function runStep(request: StepRequest, parts: StepParts): Promise<StepEnd> {
  const { signal, exchange } = request;
  if (signal.aborted) return { kind: 'stopped' };
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onStop = (): void => undefined;
  let onActivity = (): void => undefined;
  const ended = new Promise<StepEnd>((resolve) => {
    onStop = () => resolve({ kind: 'stopped' });
    onActivity = () => {
      clearTimeout(timer);
      timer = setTimeout(() => resolve({ kind: 'silent' }), request.idleLimitMs);
    };
  });
  signal.addEventListener('abort', onStop);
  exchange.onBytes = onActivity;
  onActivity();
  const stream = streamText({
    model: request.model,
    ...(request.system && { system: request.system }),
    messages: request.messages,
    ...(Object.keys(request.tools).length > 0 && { tools: request.tools }),
    ...(request.providerOptions && { providerOptions: request.providerOptions }),
    ...(request.maxOutputTokens !== undefined && { maxOutputTokens: request.maxOutputTokens }),
    maxRetries: 0,
    abortSignal: own.signal,
    // Errors come as parts of the stream; without this they would be printed as well.
    onError: () => undefined,
  }).fullStream[Symbol.asyncIterator]();
  try {
    return await Promise.race([ended, consume(stream, parts, onActivity)]);
  } finally {
    clearTimeout(timer);
    exchange.onBytes = () => undefined;
    signal.removeEventListener('abort', onStop);
    parts.close();
    own.abort();
    // Whoever still waits for the stream is let go; what it then says concerns nobody any more.
    void stream.return?.().catch(() => undefined);
  }
}

const rawCost = z.object({ cost: z.number().nonnegative() });

function callUsage(told: LanguageModelUsage): Usage {
  const { inputTokens, outputTokens, inputTokenDetails, raw } = told;
  const cached = inputTokenDetails.cacheReadTokens ?? 0;
  // OpenRouter tells what a call cost.
  const cost = rawCost.safeParse(raw).data?.cost;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cached > 0 && { cachedTokens: cached }),
    ...(inputTokens !== undefined && { contextTokens: inputTokens + (outputTokens ?? 0) }),
    ...(cost !== undefined && { cost }),
  };
}

async function consume(
  stream: AsyncIterator<Event>,
  parts: StepParts,
  onActivity: () => void,
): Promise<StepEnd> {
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return { kind: 'broken', error: undefined };
      onActivity();
      const event = next.value;
      if (event.type === 'finish-step') {
        return {
          kind: 'finished',
          reason: event.finishReason,
          raw: event.rawFinishReason,
          usage: callUsage(event.usage),
        };
      }
      if (event.type === 'error') {
        if (!isKeepAlive(event.error)) return { kind: 'broken', error: event.error };
      } else {
        parts.take(event);
      }
    }
  } catch (error) {
    return { kind: 'broken', error };
  }
}
