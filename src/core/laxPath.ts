/** What HFS+ leaves out of a name when it compares it with others. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;
/** What NTFS leaves out. */
const stream = /:.*$/su;
const ending = /[. ]+$/u;

/** Returns a path as the file systems read it that take several spellings for one name. */
export function laxPath(path: string): string {
  return path
    .split('/')
    .map((name) => name.replaceAll(ignored, '').replace(stream, '').replace(ending, ''))
    .join('/')
    .toLowerCase();
}

/** Says whether a path lies in a folder that some file system takes for `.git`, or names it. */
export function isUnderGit(path: string): boolean {
  return laxPath(path)
    .split('/')
    .some((name) => name === '.git' || /^git~\d+$/u.test(name));
}
