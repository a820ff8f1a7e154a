import type { Translate } from './ports';

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

/** A piece of a text that is itself put into the user's language. */
export class Phrase {
  constructor(readonly english: string) {}
}

type TextArgument = string | number | Phrase;

/** The one error type. The code is in `name` and `message` too, because a command's error loses its other fields on the way. */
export class RetraceError extends Error {
  /** What happened and what to do, in English. */
  readonly text: string;

  constructor(
    readonly code: ErrorCode,
    /** The text with places such as `{0}` for the arguments. */
    readonly template: string,
    readonly args: readonly TextArgument[] = [],
    options?: ErrorOptions,
  ) {
    const text = fill(template, args, (english) => english);
    super(`${code}: ${text}`, options);
    this.text = text;
    this.name = `RetraceError(${code})`;
  }
}

function fill(
  template: string,
  args: readonly TextArgument[],
  t: (english: string) => string,
): string {
  const values = args.map((arg) => (arg instanceof Phrase ? t(arg.english) : String(arg)));
  return template.replace(/\{(\d+)\}/gu, (place, index: string) => values[Number(index)] ?? place);
}

/** Returns an error's text for people, without its code, in the user's language where a translation is given. */
export function errorText(error: unknown, t?: Translate): string {
  if (error instanceof RetraceError) {
    return t === undefined
      ? error.text
      : fill(t(error.template), error.args, (english) => t(english));
  }
  return error instanceof Error ? error.message : String(error);
}

/** Returns a Retrace error as it is and wraps anything else under the given code. */
export function toRetraceError(error: unknown, code: ErrorCode): RetraceError {
  return error instanceof RetraceError
    ? error
    : new RetraceError(code, '{0}', [errorText(error)], { cause: error });
}
