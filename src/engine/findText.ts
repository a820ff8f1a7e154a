/** A text to be looked for is cut there. */
const wordLength = 200;
/** So many characters are shown before a place, and three times as many after it. */
const around = 40;

/** Returns what finds a text, capitals aside; undefined where there is nothing to look for. */
export function patternOf(text: string, flags = 'iu'): RegExp | undefined {
  const wanted = text.trim().slice(0, wordLength);
  if (wanted === '') return undefined;
  return new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&'), flags);
}

/** Returns a place on one line, with a little around it. */
export function excerptAt(text: string, at: number): string {
  const from = Math.max(0, at - around);
  const to = Math.min(text.length, at + 3 * around);
  const cut = text
    .slice(from, to)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`;
}
