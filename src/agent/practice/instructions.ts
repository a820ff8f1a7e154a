/** Asks for one call that needs nothing from the calls before it. */
export type DirectInstruction =
  | { readonly verb: 'create'; readonly file: string; readonly text: string }
  | { readonly verb: 'delete'; readonly file: string }
  | { readonly verb: 'read'; readonly file: string }
  | { readonly verb: 'rename'; readonly from: string; readonly to: string }
  | { readonly verb: 'list'; readonly folder: string }
  | { readonly verb: 'search'; readonly text: string }
  | { readonly verb: 'run'; readonly command: string };

/** Asks for a change to a file that has to be read first. */
export type ChangeInstruction =
  | { readonly verb: 'write'; readonly file: string; readonly text: string }
  | { readonly verb: 'append'; readonly file: string; readonly text: string }
  | { readonly verb: 'replace'; readonly file: string; readonly old: string; readonly new: string };

/** Asks for nothing of the workspace. */
export type PlainInstruction =
  | { readonly verb: 'say'; readonly text: string }
  | { readonly verb: 'think'; readonly text: string }
  | { readonly verb: 'wait'; readonly seconds: number }
  | { readonly verb: 'fail'; readonly message: string }
  | { readonly verb: 'unknown'; readonly line: string };

/** What a line asks Practice to do. */
export type Instruction = DirectInstruction | ChangeInstruction | PlainInstruction;

export function isDirect(instruction: Instruction): instruction is DirectInstruction {
  return ['create', 'delete', 'read', 'rename', 'list', 'search', 'run'].includes(instruction.verb);
}

export function isChange(instruction: Instruction): instruction is ChangeInstruction {
  return ['write', 'append', 'replace'].includes(instruction.verb);
}

/** The rest of a line, and the fenced block under it if there is one. */
interface Given {
  readonly rest: string;
  readonly block: string | undefined;
}

type Parsed = { readonly instruction: Instruction; readonly usedBlock: boolean } | undefined;

const maxWaitSeconds = 600;

/** Reads a message, one instruction a line. */
export function parseInstructions(message: string): Instruction[] {
  const lines = message.split(/\r?\n/u);
  const instructions: Instruction[] = [];
  for (let at = 0; at < lines.length;) {
    const line = (lines[at] ?? '')
      .replace(/^\s*(?:[-*+]\s+|\d+[.)]\s+)?/u, '')
      .replace(/^please\b[,:]?\s*/iu, '');
    const block = blockAt(lines, at + 1);
    const [, verb, rest] = /^([a-z]+)(?:\s+(.*))?$/isu.exec(line) ?? [];
    const parsed =
      verb === undefined
        ? undefined
        : parse(verb.toLowerCase(), { rest: rest ?? '', block: block?.text });
    if (parsed !== undefined) instructions.push(parsed.instruction);
    else if (line.trim() !== '') instructions.push({ verb: 'unknown', line: line.trim() });
    // A block nobody asked for is not read as instructions.
    const own = parsed === undefined ? blockAt(lines, at) : undefined;
    if (own !== undefined) instructions.pop();
    at = (parsed?.usedBlock === true ? block?.next : own?.next) ?? at + 1;
  }
  return instructions;
}

function blockAt(
  lines: readonly string[],
  from: number,
): { text: string; next: number } | undefined {
  let at = from;
  while (lines[at]?.trim() === '') at++;
  const [, fence] = /^\s*(`{3,}|~{3,})[^`]*$/u.exec(lines[at] ?? '') ?? [];
  if (fence === undefined) return undefined;
  const start = at + 1;
  let end = start;
  while (end < lines.length && lines[end]?.trim() !== fence) end++;
  const body = lines.slice(start, end);
  return { text: body.map((line) => `${line}\n`).join(''), next: end + 1 };
}

function parse(verb: string, given: Given): Parsed {
  switch (verb) {
    case 'create':
    case 'write':
      return parseWrite(verb, given);
    case 'append':
      return parseAppend(given);
    case 'replace':
      return parseReplace(given);
    case 'rename': {
      const [from, to] = splitFirst(given.rest, 'to') ?? [];
      const target = name(to ?? '');
      return from === undefined || from === '' || target === ''
        ? undefined
        : plain({ verb, from, to: target });
    }
    case 'delete':
    case 'read': {
      const file = name(given.rest);
      return file === '' ? undefined : plain({ verb, file });
    }
    case 'list':
      return plain({ verb, folder: name(given.rest) });
    case 'search': {
      const text = unquoted(given.rest.trim());
      return text === '' ? undefined : plain({ verb, text });
    }
    case 'run':
      return parseRun(given);
    case 'say':
    case 'think':
      return given.rest.trim() === '' ? undefined : plain({ verb, text: unescaped(given.rest) });
    case 'wait': {
      const [, seconds] = /^(\d+(?:\.\d+)?)\s*(?:s|seconds?)?\s*$/iu.exec(given.rest) ?? [];
      return seconds === undefined
        ? undefined
        : plain({ verb, seconds: Math.min(Number(seconds), maxWaitSeconds) });
    }
    case 'fail':
      return plain({ verb, message: given.rest.trim() });
    default:
      return undefined;
  }
}

function plain(instruction: Instruction): Parsed {
  return { instruction, usedBlock: false };
}

function parseWrite(verb: 'create' | 'write', { rest, block }: Given): Parsed {
  const [file, text] = splitFirst(rest, 'with') ?? [name(rest.replace(/:\s*$/u, '')), ''];
  if (file === '') return undefined;
  const inline = text.replace(/^:\s*$/u, '');
  if (inline !== '' || block === undefined) return plain({ verb, file, text: unescaped(inline) });
  return { instruction: { verb, file, text: block }, usedBlock: true };
}

/** A command line is taken as it stands; a longer one goes into a block. */
function parseRun({ rest, block }: Given): Parsed {
  const line = rest.trim();
  if (line !== '') return plain({ verb: 'run', command: line });
  if (block === undefined) return undefined;
  return { instruction: { verb: 'run', command: block }, usedBlock: true };
}

function parseAppend({ rest, block }: Given): Parsed {
  const [, target] = /^to\s+(.+?)\s*:?\s*$/iu.exec(rest) ?? [];
  if (block !== undefined && target !== undefined) {
    return { instruction: { verb: 'append', file: name(target), text: block }, usedBlock: true };
  }
  const [, text, file] =
    /^(.*?)\s+to\s+(".+?"|`.+?`)\s*$/isu.exec(rest) ?? /^(.*)\s+to\s+(\S.*)$/isu.exec(rest) ?? [];
  if (text === undefined || text === '' || file === undefined) return undefined;
  return plain({ verb: 'append', file: name(file), text: unescaped(unquoted(text)) });
}

function parseReplace({ rest, block }: Given): Parsed {
  const [, head] = /^(.+?)\s+with\s*:?\s*$/isu.exec(rest) ?? [];
  if (block !== undefined && head !== undefined) {
    const [old, file] = splitLast(head, 'in') ?? [];
    if (old === undefined || file === undefined) return undefined;
    // The block's last line end belongs to the fence: what is replaced mostly ends within its line.
    const text = block.replace(/\n$/u, '');
    return { instruction: { verb: 'replace', file, old, new: text }, usedBlock: true };
  }
  const [old, tail] = splitFirst(rest, 'with') ?? [];
  if (old === undefined || tail === undefined) return undefined;
  const [text, file] = splitLast(tail, 'in') ?? [];
  if (text === undefined || file === undefined || old === '') return undefined;
  return plain({ verb: 'replace', file, old: unescaped(old), new: text });
}

const quotedStart = /^\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/su;

/** Splits at the first such word; what is in front of it may be quoted and hold the word itself. */
function splitFirst(text: string, word: string): [string, string] | undefined {
  const quoted = quotedStart.exec(text);
  if (quoted !== null) {
    const after = new RegExp(`^\\s+${word}(?::\\s*|\\s|$)(.*)$`, 'isu').exec(
      text.slice(quoted[0].length),
    );
    if (after !== null)
      return [(quoted[1] ?? quoted[2] ?? '').replaceAll('\\"', '"'), after[1] ?? ''];
  }
  const found = new RegExp(`^(.+?)\\s+${word}(?::\\s*|\\s|$)(.*)$`, 'isu').exec(text);
  return found === null ? undefined : [found[1] ?? '', found[2] ?? ''];
}

/** Splits at the last such word into a text, with its escapes read, and a name. */
function splitLast(text: string, word: string): [string, string] | undefined {
  const quoted = quotedStart.exec(text);
  if (quoted !== null) {
    const after = new RegExp(`^\\s+${word}\\s+(.+)$`, 'isu').exec(text.slice(quoted[0].length));
    if (after !== null) return [unescaped(quoted[1] ?? quoted[2] ?? ''), name(after[1] ?? '')];
  }
  const found =
    new RegExp(`^(.*?)\\s+${word}\\s+(".+?"|\`.+?\`)\\s*$`, 'isu').exec(text) ??
    new RegExp(`^(.*)\\s+${word}\\s+(\\S.*)$`, 'isu').exec(text);
  return found === null ? undefined : [unescaped(found[1] ?? ''), name(found[2] ?? '')];
}

function name(text: string): string {
  return unquoted(text.trim());
}

function unquoted(text: string): string {
  const [, inside] = /^"(.+)"$/su.exec(text) ?? /^`(.+)`$/su.exec(text) ?? [];
  return inside ?? text;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([nt\\"])/gu, (_, escape: string) => {
    if (escape === 'n') return '\n';
    return escape === 't' ? '\t' : escape;
  });
}
