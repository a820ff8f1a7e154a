import { ToolError } from '../../engine/ports';

/** A line that matches; its text is cut where it is very long. */
export interface LineHit {
  /** One-based. */
  readonly line: number;
  readonly text: string;
}

const maxShown = 300;
/** A regular expression can take time that grows with more than the length of a line. */
const maxMatched = 2_000;

/** Returns what says whether a line matches: a plain text as it is, or a regular expression. */
export function matcher(pattern: string, isRegExp: boolean): (line: string) => boolean {
  if (pattern === '') throw new ToolError('A pattern is needed.');
  if (!isRegExp) return (line) => line.includes(pattern);
  const expression = compile(pattern);
  return (line) => expression.test(line.slice(0, maxMatched));
}

/** Returns the first matching lines of a text. */
export function searchText(
  text: string,
  matches: (line: string) => boolean,
  most: number,
): LineHit[] {
  const hits: LineHit[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/u).entries()) {
    if (!matches(line)) continue;
    const shown = line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
    hits.push({ line: index + 1, text: shown });
    if (hits.length >= most) break;
  }
  return hits;
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // Other tools' dialects escape more than this mode allows.
  }
  try {
    return new RegExp(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolError(`The pattern is no regular expression: ${reason}`);
  }
}
