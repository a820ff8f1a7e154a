/** The codes a caller can rely on; every error that leaves Retrace carries one. */
export const errorCodes = [
  'run_active',
  'not_found',
  'out_of_range',
  'invalid',
  'conflict',
  'nothing_to_do',
  'cancelled',
  'untrusted',
  'storage',
  'model',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The one error type. The code is in `name` and `message` too, because a command's error loses its other fields on the way. */
export class RetraceError extends Error {
  constructor(
    readonly code: ErrorCode,
    /** What happened and what to do, for people. */
    readonly text: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${text}`, options);
    this.name = `RetraceError(${code})`;
  }
}

/** Returns an error's text for people, without its code. */
export function errorText(error: unknown): string {
  if (error instanceof RetraceError) return error.text;
  return error instanceof Error ? error.message : String(error);
}

/** Returns a Retrace error as it is and wraps anything else under the given code. */
export function toRetraceError(error: unknown, code: ErrorCode): RetraceError {
  return error instanceof RetraceError
    ? error
    : new RetraceError(code, errorText(error), { cause: error });
}
