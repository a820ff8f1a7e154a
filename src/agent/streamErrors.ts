import { APICallError, JSONParseError } from '@ai-sdk/provider';

const maxRetryAfterMs = 60_000;

/** Some servers keep a stream alive with a data line that is empty or holds a comment: it is no damage. */
export function isKeepAlive(error: unknown): boolean {
  if (!JSONParseError.isInstance(error)) return false;
  const text = error.text.trim();
  return text === '' || text.startsWith(':');
}

/** Says whether asking again may help: the server was busy or broken, or could not be reached. */
export function isPassing(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  const { statusCode } = error;
  if (statusCode === undefined) return error.isRetryable;
  return statusCode === 408 || statusCode === 429 || statusCode >= 500;
}

/** Returns how long the server asks to be left alone, within bounds. */
export function retryAfterMs(error: unknown, now: number): number {
  if (!APICallError.isInstance(error)) return 0;
  const given = error.responseHeaders?.['retry-after'];
  if (given === undefined) return 0;
  const ms = /^\d+(?:\.\d+)?$/u.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : 0;
}
