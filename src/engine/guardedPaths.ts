import { laxPath } from '../core/laxPath';

/** Folders all of whose files are guarded. */
const folders = [
  '.vscode',
  '.devcontainer',
  '.husky',
  '.yarn',
  '.bundle',
  '.cargo',
  '.config/fish',
  '.pip',
];

/** Names of files, as patterns; a name alone, wherever it lies. */
const names = [
  // The editor and the agent itself.
  String.raw`[^/]+\.code-workspace`,
  String.raw`agents\.md`,
  // Secrets, and what sets them for shells.
  String.raw`\.env[^/]*`,
  // Shells.
  String.raw`\.(?:bash|zsh|ksh|csh|tcsh)[^/]*`,
  String.raw`\.(?:profile|login|logout|inputrc|zprofile)`,
  String.raw`config\.fish`,
  String.raw`(?:microsoft\.)?[^/]*profile\.ps1`,
  // Package managers.
  String.raw`\.npmrc`,
  String.raw`\.yarnrc[^/]*`,
  String.raw`\.pnp\.[^/]*`,
  String.raw`\.pnpmfile\.[^/]*`,
  String.raw`\.(?:pypirc|condarc|gemrc|netrc)`,
  String.raw`pip\.(?:conf|ini)`,
  // What runs commands when a folder is entered or a commit is made.
  String.raw`\.(?:mise|tool-versions)[^/]*`,
  String.raw`\.pre-commit-config\.ya?ml`,
];

const guarded = new RegExp(
  [
    String.raw`(?:^|/)(?:\.git[^/]*|git~\d+)(?:$|/)`,
    `(?:^|/)(?:${folders.map((folder) => folder.replaceAll('.', String.raw`\.`)).join('|')})/`,
    `(?:^|/)(?:${names.join('|')})$`,
  ].join('|'),
  // File systems that hold two spellings equal would otherwise let one of them through.
  'iu',
);

/**
 * Says whether a change of this file always asks: such files steer the editor, Git, shells, package managers or the agent
 * itself, so that writing one may run a command later. The path has slashes, whatever the host's are.
 */
export function isGuarded(path: string): boolean {
  return guarded.test(path) || guarded.test(laxPath(path));
}
