/** One line of an ignore file. */
interface Rule {
  readonly pattern: RegExp;
  readonly foldersOnly: boolean;
  readonly ignores: boolean;
}

/** Reads an ignore file as Git does: a later line wins over an earlier one. */
export function parseIgnoreFile(text: string): readonly Rule[] {
  return text
    .replace(/^\uFEFF/u, '')
    .split(/\r?\n/u)
    .flatMap(parseLine);
}

/** The ignore files of a tree, each ruling over the folder it stands in. */
export class IgnoreRules {
  readonly #rules = new Map<string, (readonly Rule[])[]>();
  readonly #folders = new Map<string, boolean>();

  /** Adds a file's rules for a folder ('' is the top); rules added later win over those of the same folder added before. */
  add(folder: string, text: string): void {
    this.#rules.set(folder, [...(this.#rules.get(folder) ?? []), parseIgnoreFile(text)]);
    this.#folders.clear();
  }

  /** Says whether a file is ignored, itself or by a folder that holds it: nothing in such a folder can be taken back. */
  ignores(path: string): boolean {
    return this.#folderIgnored(parentOf(path)) || this.#ruled(path, false);
  }

  /** Says whether a folder is ignored, itself or by one that holds it. */
  ignoresFolder(path: string): boolean {
    return this.#folderIgnored(path);
  }

  #folderIgnored(folder: string): boolean {
    if (folder === '') return false;
    let ignored = this.#folders.get(folder);
    if (ignored === undefined) {
      ignored = this.#folderIgnored(parentOf(folder)) || this.#ruled(folder, true);
      this.#folders.set(folder, ignored);
    }
    return ignored;
  }

  /** The nearest folder with a rule that fits decides. */
  #ruled(path: string, isFolder: boolean): boolean {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const relative = folder === '' ? path : path.slice(folder.length + 1);
      for (const rules of (this.#rules.get(folder) ?? []).toReversed()) {
        const rule = rules.findLast(
          (one) => (isFolder || !one.foldersOnly) && one.pattern.test(relative),
        );
        if (rule !== undefined) return rule.ignores;
      }
      if (folder === '') return false;
    }
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function parseLine(line: string): Rule[] {
  if (line.startsWith('#')) return [];
  let glob = line.replace(/(?<!\\)((?:\\\\)*) +$/u, '$1');
  const ignores = !glob.startsWith('!');
  if (!ignores) glob = glob.slice(1);
  const foldersOnly = glob.endsWith('/');
  if (foldersOnly) glob = glob.slice(0, -1);
  if (glob === '') return [];
  const anchored = glob.includes('/');
  const body = toPattern(glob.replace(/^\//u, ''));
  if (body === undefined) return [];
  const pattern = new RegExp(`^${anchored ? '' : '(?:.*/)?'}${body}$`, 'su');
  return [{ pattern, foldersOnly, ignores }];
}

/** Returns a regular expression's text for a glob, or undefined for one that Git takes to match nothing. */
function toPattern(glob: string): string | undefined {
  let pattern = '';
  for (let at = 0; at < glob.length;) {
    const rest = glob.slice(at);
    const startsSegment = at === 0 || glob[at - 1] === '/';
    const stars = /^\*+/u.exec(rest)?.[0].length ?? 0;
    if (stars === 2 && startsSegment && rest.startsWith('**/')) {
      pattern += '(?:.*/)?';
      at += 3;
    } else if (stars === 2 && startsSegment && rest.length === 2) {
      pattern += '.+';
      at += 2;
    } else if (stars > 0) {
      pattern += '[^/]*';
      at += stars;
    } else if (rest.startsWith('?')) {
      pattern += '[^/]';
      at += 1;
    } else if (rest.startsWith('[')) {
      const set = /^\[([!^]?)(\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*)\]/su.exec(rest);
      if (set === null) return undefined;
      pattern += toClass(set[1] !== '', set[2] ?? '');
      at += set[0].length;
    } else {
      if (rest === '\\') return undefined;
      const character = String.fromCodePoint(rest.codePointAt(rest.startsWith('\\') ? 1 : 0) ?? 0);
      pattern += literal(character);
      at += character.length + (rest.startsWith('\\') ? 1 : 0);
    }
  }
  return pattern;
}

const named: Readonly<Record<string, string>> = {
  alpha: 'A-Za-z',
  digit: '0-9',
  alnum: 'A-Za-z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
};

function toClass(negated: boolean, content: string): string {
  const body = content.replace(
    /\[:([a-z]+):\]|\\(.)|([[\]^])/gsu,
    (_, name: string | undefined, escaped: string | undefined, bare: string | undefined) =>
      name === undefined ? inClass(escaped ?? bare ?? '') : (named[name] ?? ''),
  );
  // A range that runs backwards matches nothing in Git and is an error here.
  try {
    new RegExp(`[${body}]`, 'u');
  } catch {
    return negated ? '[^/]' : '(?!)';
  }
  return negated ? `(?!/)[^${body}]` : `(?!/)[${body}]`;
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(character) ? `\\${character}` : character;
}

function inClass(character: string): string {
  return /[\\^\][-]/u.test(character) ? `\\${character}` : character;
}
