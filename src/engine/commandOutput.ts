/** No more characters of the beginning, and of the end, are kept. */
const limits = { head: 6_000, tail: 12_000, line: 8_000 };

const escape = String.fromCharCode(27);
const bell = String.fromCharCode(7);
/** Colours, cursor moves, titles and links of terminals. */
const sequences = new RegExp(
  `${escape}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\)|[PX^_][^${escape}]*${escape}\\\\|[ -/]*[0-Z\\\\^-~])`,
  'gu',
);
/** The beginning of one whose rest has not arrived. */
const unfinished = new RegExp(
  `${escape}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^${bell}${escape}]{0,2000}${escape}?|[ -/]*)?$`,
  'u',
);
const controls = /[^\P{Cc}\n\t\r]/gu;

/** What a command wrote, as text: terminal sequences taken out, rewritten lines as they last stood, the middle left out. */
export class CommandOutput {
  #head = '';
  #tail = '';
  #dropped = 0;
  #line = '';
  #rest = '';

  /** Takes what arrived, wherever it was cut. */
  add(text: string): void {
    const given = this.#rest + text;
    this.#rest = unfinished.exec(given)?.[0] ?? '';
    const whole = given.slice(0, given.length - this.#rest.length);
    const plain = whole.replace(sequences, '').replace(controls, '');
    const lines = (this.#line + plain).split('\n');
    const open = lines.pop() ?? '';
    // A return at its end may be the first half of a line end.
    const last = rewritten(open) + (open.endsWith('\r') ? '\r' : '');
    if (lines.length > 0) this.#keep(`${lines.map(rewritten).join('\n')}\n`);
    this.#line = last;
    if (last.length > limits.line) {
      this.#keep(last);
      this.#line = '';
    }
  }

  /** Returns everything that is kept; the note in its middle is for people and models alike. */
  text(): string {
    const all = this.#tail + rewritten(this.#line);
    const from = all.length > limits.tail ? wholeLength(all, all.length - limits.tail) : 0;
    const end = all.slice(from);
    const dropped = this.#dropped + from;
    if (dropped === 0) return this.#head + end;
    return `${this.#head}\n[… ${dropped} characters are left out here …]\n${end}`;
  }

  #keep(text: string): void {
    const room = limits.head - this.#head.length;
    const cut = room > 0 ? wholeLength(text, room) : 0;
    if (this.#tail === '') this.#head += text.slice(0, cut);
    this.#tail += text.slice(this.#tail === '' ? cut : 0);
    // Cutting costs a copy: it is done now and then, not at each line.
    if (this.#tail.length <= limits.tail * 2) return;
    const from = wholeLength(this.#tail, this.#tail.length - limits.tail);
    this.#dropped += from;
    this.#tail = this.#tail.slice(from);
  }
}

/** After a return a terminal writes over the line. */
function rewritten(line: string): string {
  const ended = line.replace(/\r+$/u, '');
  return ended.slice(ended.lastIndexOf('\r') + 1);
}

/** Never cuts a character in two. */
function wholeLength(text: string, length: number): number {
  const code = text.charCodeAt(length - 1);
  return length < text.length && code >= 0xd800 && code <= 0xdbff ? length - 1 : length;
}
