import type { FileState } from '../core/changes';
import type { CurrentFile } from './ports';

/** What is at a name when a link there is meant, and not what it leads to. */
export function linkItself(now: CurrentFile): CurrentFile {
  if (now.link === undefined) return now;
  const state: FileState = { kind: 'symlink', target: now.link };
  return { state, disk: state, unsaved: false, link: now.link };
}
