import { ModelProblem } from './failures';
import type { Translate } from '../engine/ports';

/** What is known of the exchange with a server beside what the SDK tells. */
export interface Exchange {
  /** A request has been handed to the network. */
  sent: boolean;
  /** Why the last answer's body ended before its end, if it did. */
  cut: unknown;
  /** Called whenever bytes arrive, keep-alives too. */
  onBytes: () => void;
}

export function newExchange(): Exchange {
  return { sent: false, cut: undefined, onBytes: () => undefined };
}

/**
 * Wraps `fetch` for one model. A key goes to the address it was entered for and nowhere else, so a redirect is refused
 * while there is one. A body that breaks off ends like one that is complete: whether the answer is whole is decided by
 * its finish reason, which may well have arrived.
 */
export function watchedFetch(options: {
  readonly fetch: typeof fetch;
  readonly exchange: Exchange;
  readonly hasKey: boolean;
  readonly t: Translate;
}): typeof fetch {
  const { exchange, t } = options;
  return async (input, init) => {
    exchange.sent = true;
    exchange.cut = undefined;
    const response = await options.fetch(
      input,
      options.hasKey ? { ...init, redirect: 'manual' } : init,
    );
    exchange.onBytes();
    const redirected = response.status >= 300 && response.status < 400;
    if (response.type === 'opaqueredirect' || redirected) {
      await response.body?.cancel();
      const target = response.headers.get('location') ?? '?';
      throw new ModelProblem(
        t(
          'The server answered with a redirect to {0}. Your key is not sent on to another address: if you trust that one, enter it as the base URL of this model.',
          target,
        ),
      );
    }
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = watchedBody(response.body, exchange, init?.signal ?? undefined);
    return new Response(body, { status, statusText, headers });
  };
}

function watchedBody(
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let cancelled = false;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (cancelled) return;
        if (done) {
          controller.close();
          return;
        }
        exchange.onBytes();
        controller.enqueue(value);
      } catch (error) {
        if (signal?.aborted === true) {
          controller.error(error);
          return;
        }
        exchange.cut = error;
        controller.close();
      }
    },
    cancel: (reason) => {
      cancelled = true;
      return reader.cancel(reason);
    },
  });
}
