import {
  type ChangedBy,
  type ChangeLink,
  type FileState,
  heldBeside,
  type Link,
  sameContent,
  sameState,
} from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { Place } from '../core/ids';
import { knownState, lastSide } from '../core/known';
import type { SessionState } from '../core/session';
import type { CurrentFile } from './ports';

/** What is recorded of files: by the session, and by a turn so far that began where the files stood at `base`. */
export interface Past {
  readonly session: SessionState;
  readonly links: readonly Link[];
  readonly base: Place;
}

/** Returns what a file was last known to hold, or undefined for one nothing is recorded of. */
export function lastKnown({ session, links, base }: Past, file: FileKey): FileState | undefined {
  return lastSide(links, file) ?? knownState(session.nodes, session.origins, file, base);
}

/**
 * Returns how a file came from what it was last known to hold to what it holds now, in front of a change. It may not have
 * come along with a move, or be half written by one (`replaced`: what that was to replace); the rest was changed by hand.
 */
export function linksInFront(
  past: Past,
  file: FileKey,
  now: Pick<CurrentFile, 'state' | 'link'>,
  replaced?: FileState,
): ChangeLink[] {
  const known = lastKnown(past, file);
  if (known === undefined) return [];
  const { nodes, origins, standing } = past.session;
  const apart = lastSide(past.links, file) === undefined ? standing.apart[file] : undefined;
  const stood = apart === undefined ? undefined : knownState(nodes, origins, file, apart);
  const steps: readonly (readonly [FileState | undefined, ChangedBy])[] = [
    [stood, 'move'],
    [replaced, 'hand'],
    [now.state, replaced === undefined ? 'hand' : 'move'],
  ];
  const links: ChangeLink[] = [];
  let before = known;
  for (const [after, by] of steps) {
    // What it held then was not kept, so that it is not known whether it was changed since.
    if (by === 'hand' && before.kind === 'uncovered' && before.reason === 'storage full') continue;
    if (after === undefined || sameContent(before, heldBeside({ ...now, state: after }, before)))
      continue;
    links.push({ type: 'change', file, before, after, by });
    before = after;
  }
  return links;
}

/** Returns what was changed by hand in front of what a command did. */
export function handInFront(past: Past, link: Link): ChangeLink[] {
  if (link.type !== 'change' || !isContent(link.before)) return [];
  const known = lastKnown(past, link.file);
  if (known === undefined || !isContent(known)) return [];
  return linksInFront(past, link.file, { state: link.before });
}

/** Returns what of a change is not among those recorded already. */
export function notRecorded(links: readonly Link[], link: Link): readonly Link[] {
  if (link.type === 'folder') {
    const last = links.findLast((one) => one.type === 'folder' && one.folder === link.folder);
    return last?.type === 'folder' && last.made === link.made ? [] : [link];
  }
  const known = link.type === 'change' ? lastSide(links, link.file) : undefined;
  if (link.type !== 'change' || known === undefined) return [link];
  return sameState(known, link.after) ? [] : [{ ...link, before: known }];
}

/** Says whether a state can be compared with what a file holds. */
export function isContent({ kind }: FileState): boolean {
  return kind !== 'folder' && kind !== 'uncovered';
}
