/** A path below a workspace folder that fits what was typed; a better fit has the smaller number. */
interface Fit {
  readonly path: string;
  readonly rank: number;
}

/** Characters that mean something in a glob, where there is no way to quote them: any character stands for them. */
const special = /[*?[\]{}!,\\]/u;

/**
 * Returns the globs of the files, and of what lies in the folders, that may fit a text: its letters in order, in either
 * case, in the last names of the path. They find a little too much; {@link best} sorts that out.
 */
export function globsOf(text: string): { readonly files: string; readonly inFolders: string } {
  const names = text.split('/').filter((name) => name !== '');
  const fuzzy = names.map((name) => `*${Array.from(name, eitherCase).join('*')}*`);
  const path = `**/${fuzzy.join('/**/')}`;
  return { files: path, inFolders: `${path}/**` };
}

function eitherCase(character: string): string {
  if (special.test(character)) return '?';
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return lower === upper || lower.length !== 1 || upper.length !== 1
    ? character
    : `[${lower}${upper}]`;
}

/** Returns the paths that fit best, best first: a name that begins so, one that has it, a path that has it, then the rest. */
export function best(text: string, paths: Iterable<string>, most: number): readonly string[] {
  const wanted = text.toLowerCase();
  const fits: Fit[] = [];
  for (const path of new Set(paths)) {
    const rank = rankOf(wanted, path.toLowerCase());
    if (rank !== undefined) fits.push({ path, rank });
  }
  fits.sort(
    (a, b) => a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1),
  );
  return fits.slice(0, most).map(({ path }) => path);
}

function rankOf(wanted: string, path: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  return inOrder(wanted, path) ? 4 : undefined;
}

function inOrder(letters: string, text: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at);
    if (at === -1) return false;
    at += letter.length;
  }
  return true;
}

/** Returns every folder above some paths. */
export function foldersAbove(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
      const folder = path.slice(0, cut);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
