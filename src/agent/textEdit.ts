import { diffLines } from '../core/lineDiff';
import { ToolFailure } from './failures';
import { nearestText } from './nearestText';

const bom = '\uFEFF';
const notText = 'The file is not UTF-8 text, nor UTF-16 with a byte order mark.';

/** How a file's text is written as bytes. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A file's bytes as text: the byte order mark apart, every line end as it is. */
export interface FileText {
  readonly encoding: Encoding;
  readonly bom: boolean;
  readonly text: string;
}

/** Decodes bytes that are UTF-8 text, or UTF-16 text with a byte order mark, and nothing else; a NUL says that they are not text. */
export function decodeText(bytes: Uint8Array): FileText {
  const encoding = encodingOf(bytes);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure(notText);
  }
  if (text.includes('\0')) throw new ToolFailure(notText);
  return text.startsWith(bom)
    ? { encoding, bom: true, text: text.slice(1) }
    : { encoding, bom: false, text };
}

function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

export function encodeText(file: FileText): Uint8Array {
  const text = file.bom ? bom + file.text : file.text;
  if (file.encoding === 'utf-8') return new TextEncoder().encode(text);
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++)
    bytes.setUint16(at * 2, text.charCodeAt(at), file.encoding === 'utf-16le');
  return new Uint8Array(bytes.buffer);
}

/** Returns text as models are shown it: every CRLF a LF, the byte order mark gone. */
export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

export interface Edited {
  readonly text: string;
  readonly count: number;
  /** One-based line of the first place. */
  readonly line: number;
}

/** A place in the raw text, end exclusive. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Text with some line ends read as LF, and where each of its characters came from. */
interface View {
  readonly text: string;
  rawIndex(index: number): number;
}

function view(raw: string, lineEnd: RegExp): View {
  // Only where a line end got shorter do the two texts part, so those places are all that need be kept.
  const shortened: number[] = [];
  let text = '';
  let from = 0;
  for (const match of raw.matchAll(lineEnd)) {
    text += `${raw.slice(from, match.index)}\n`;
    from = match.index + match[0].length;
    if (match[0].length === 2) shortened.push(text.length);
  }
  text += raw.slice(from);
  return {
    text,
    rawIndex(index) {
      let low = 0;
      let high = shortened.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((shortened[middle] ?? 0) <= index) low = middle + 1;
        else high = middle;
      }
      return index + low;
    },
  };
}

function occurrences(text: string, wanted: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: at, end: at + wanted.length });
  }
  return found;
}

function splitsLineEnd(text: string, { start, end }: Span): boolean {
  return [start, end].some((at) => text[at - 1] === '\r' && text[at] === '\n');
}

interface Found {
  readonly spans: readonly Span[];
  /** True when the wanted text stands in the file as sent, line ends too. */
  readonly exact: boolean;
}

function find(text: string, wanted: string): Found {
  const exact = occurrences(text, wanted).filter((span) => !splitsLineEnd(text, span));
  if (exact.length > 0) return { spans: exact, exact: true };
  for (const lineEnd of [/\r\n/gu, /\r\n|\r/gu]) {
    const seen = view(text, lineEnd);
    const spans = occurrences(seen.text, wanted.replace(lineEnd, '\n')).map((span) => ({
      start: seen.rawIndex(span.start),
      end: seen.rawIndex(span.end),
    }));
    if (spans.length > 0) return { spans, exact: false };
  }
  return { spans: [], exact: false };
}

function lineEnds(text: string): string[] {
  return text.match(/\r\n|\n|\r/gu) ?? [];
}

/** The end most lines of a file have. A lone CR counts only where nothing else ends a line: it is progress output otherwise. */
function dominantEnd(text: string): string {
  const ends = lineEnds(text);
  const crlf = ends.filter((end) => end === '\r\n').length;
  const lf = ends.filter((end) => end === '\n').length;
  if (crlf === 0 && lf === 0) return ends.length > 0 ? '\r' : '\n';
  return crlf > lf ? '\r\n' : '\n';
}

interface Line {
  readonly text: string;
  readonly end: string;
}

/** Cuts text into lines with their ends; what follows the last end is a line without one. */
function linesOf(text: string, lineEnd: RegExp): Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const match of text.matchAll(lineEnd)) {
    lines.push({ text: text.slice(from, match.index), end: match[0] });
    from = match.index + match[0].length;
  }
  lines.push({ text: text.slice(from), end: '' });
  return lines;
}

/** Gives each new line the end of the old line it keeps or replaces, else the end of the line before it. */
function withEnds(before: readonly Line[], after: readonly string[], fallback: string): string {
  const hunks = diffLines(
    before.map((line) => line.text),
    after,
  ) ?? [{ start: 0, end: before.length, lines: after }];
  const ends: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    ends.push(...before.slice(at, hunk.start).map((line) => line.end));
    const replaced = before.slice(hunk.start, hunk.end);
    ends.push(...hunk.lines.map((_, index) => replaced[index]?.end ?? ''));
    at = hunk.end;
  }
  ends.push(...before.slice(at).map((line) => line.end));
  let last = fallback;
  return after
    .map((line, index) => {
      if (index === after.length - 1) return line;
      const end = ends[index];
      last = end === undefined || end === '' ? last : end;
      return line + last;
    })
    .join('');
}

function replacement(text: string, span: Span, edit: TextEdit, exact: boolean): string {
  if (exact && edit.new.includes('\r') && /[\r\n]/u.test(edit.old)) return edit.new;
  const wanted = toLf(edit.new);
  if (!wanted.includes('\n')) return wanted;
  const old = text.slice(span.start, span.end);
  // Where lone CRs are ordinary characters of the file they must not be taken for ends of the lines that are replaced.
  const lineEnd = edit.old.includes('\r') || !exact ? /\r\n|\n|\r/gu : /\r\n|\n/gu;
  const before = lineEnds(text.slice(0, span.start)).at(-1);
  const following = lineEnds(text.slice(span.end))[0];
  const around = [before, following].find((end) => end !== undefined && end !== '\r');
  return withEnds(linesOf(old, lineEnd), wanted.split('\n'), around ?? dominantEnd(text));
}

/**
 * Replaces text in a file. The old text is looked for exactly, then with line ends held equal, for models send LF
 * whatever the file has. Lines that stay keep their ends; new ones take those around them.
 */
export function editText(text: string, edit: TextEdit): Edited {
  if (edit.old === '') {
    if (text !== '') throw new ToolFailure('"old" is empty. Give the text to replace.');
    return { text: edit.new, count: 1, line: 1 };
  }
  if (toLf(edit.old) === toLf(edit.new)) {
    throw new ToolFailure('"old" and "new" are the same: there is nothing to change.');
  }
  const { spans, exact } = find(text, edit.old);
  const [first] = spans;
  if (first === undefined) throw new ToolFailure(notFound(text, edit.old));
  if (spans.length > 1 && !edit.replaceAll) {
    const lines = spans.slice(0, 10).map((span) => lineAt(text, span.start));
    throw new ToolFailure(
      `"old" stands in the file ${spans.length} times (lines ${lines.join(', ')}). Give more of the text around the one you mean, or set replaceAll.`,
    );
  }
  let result = '';
  let from = 0;
  for (const span of spans) {
    result += text.slice(from, span.start) + replacement(text, span, edit, exact);
    from = span.end;
  }
  return { text: result + text.slice(from), count: spans.length, line: lineAt(text, first.start) };
}

function lineAt(text: string, index: number): number {
  return lineEnds(text.slice(0, index)).length + 1;
}

function notFound(text: string, old: string): string {
  const nearest = nearestText(toLf(text), toLf(old));
  if (nearest === undefined) return '"old" was not found in the file, nor anything like it.';
  return `"old" was not found in the file. The nearest text is at line ${nearest.line}:\n${nearest.text}`;
}

/** Edits a file's bytes; whatever the edit does not touch stays as it is, byte for byte. */
export function editBytes(
  bytes: Uint8Array,
  edit: TextEdit,
): { readonly bytes: Uint8Array; readonly count: number; readonly line: number } {
  const file = decodeText(bytes);
  const wanted = { ...edit, old: withoutBom(edit.old), new: withoutBom(edit.new) };
  const edited = editText(file.text, wanted);
  return { ...edited, bytes: encodeText({ ...file, text: edited.text }) };
}

/**
 * Returns the bytes of a file that is written as a whole: its byte order mark stays as it was, and where every line
 * ended in CRLF the new ones do too.
 */
export function rewriteBytes(before: Uint8Array | undefined, text: string): Uint8Array {
  if (before === undefined) return new TextEncoder().encode(text);
  const file = decodeText(before);
  const plain = withoutBom(text);
  const ends = lineEnds(file.text);
  const allCrlf = ends.length > 0 && ends.every((end) => end === '\r\n');
  return encodeText({
    ...file,
    text: allCrlf && !plain.includes('\r') ? plain.replaceAll('\n', '\r\n') : plain,
  });
}

function withoutBom(text: string): string {
  return text.startsWith(bom) ? text.slice(1) : text;
}
