import { absent, sameContent, type FileState, type Link } from './changes';
import type { FileKey } from './fileKey';
import { countedAs } from './fold';
import type { Place } from './ids';
import type { FileChoice, FilesPlan, PlannedFile } from './plan';

/** A file that takes a free name; tabs, unsaved text and mode follow. */
export interface RenameWrite {
  readonly type: 'rename';
  readonly from: FileKey;
  readonly to: FileKey;
  readonly planned: PlannedFile;
}

/** A file, link or folder that takes a state, or goes. */
export interface ContentWrite {
  readonly type: 'content';
  readonly file: FileKey;
  readonly to: FileState;
  /** The bytes of a file to write. */
  readonly bytes?: Uint8Array;
  /** False leaves an unsaved document unsaved. */
  readonly save: boolean;
  /** What is there when its turn comes, where a write in front of it changes that. */
  readonly before?: FileState;
  readonly planned: PlannedFile;
}

/** One write of a move, in the order they are to be made. */
export type MoveWrite = RenameWrite | ContentWrite;

/** A plan with every choice made. */
export interface ResolvedPlan {
  readonly writes: readonly MoveWrite[];
  /** Files that are left as they are, by choice or because their bytes are not there, and where they then stand. */
  readonly stayed: ReadonlyMap<FileKey, Place>;
  /** What the writes replace by what, for the journal. */
  readonly links: readonly Link[];
}

/**
 * Turns a plan and the choices made into writes: renames first (they free names), then contents, folders made before the
 * files in them and removed after, deepest first.
 */
export function resolvePlan(
  plan: FilesPlan,
  choices: ReadonlyMap<FileKey, FileChoice>,
): ResolvedPlan {
  const stayed = new Map<FileKey, Place>();
  const contents: ContentWrite[] = [];
  const moves: PlannedFile[] = [];
  for (const planned of plan.files) {
    const choice = chosen(planned, choices.get(planned.file));
    if (planned.kind === 'unchanged') continue;
    if (planned.kind === 'uncovered' || choice === 'keep') {
      stayed.set(planned.file, planned.standsAt === undefined ? planned.place : planned.standsAt);
    } else if (choice === 'restore') {
      const { target, targetBytes, file } = planned;
      if (target !== undefined) contents.push(...content(file, target, targetBytes, true, planned));
    } else if (planned.kind === 'move') {
      moves.push(planned);
    } else {
      contents.push(...content(planned.file, planned.result, planned.bytes, planned.save, planned));
    }
  }
  const { renames, replaced } = orderRenames(moves, plan, stayed);
  const moved = new Set(renames.map((write) => write.from));
  const rest = contents.filter((write) => !(write.to.kind === 'absent' && moved.has(write.file)));
  for (const planned of moves) {
    const renamed = renames.find((write) => write.to === planned.file);
    const source = plan.files.find((other) => other.file === planned.movedFrom)?.current.state;
    if (
      renamed === undefined ||
      replaced.has(planned.file) ||
      source === undefined ||
      !sameContent(source, planned.result)
    ) {
      rest.push(...content(planned.file, planned.result, planned.bytes, planned.save, planned));
    }
  }
  const writes: MoveWrite[] = [...renames, ...orderContents(rest)];
  return { writes, stayed, links: writes.flatMap((write) => writeLinks(write, plan, renames)) };
}

function chosen(planned: PlannedFile, choice: FileChoice | undefined): FileChoice | undefined {
  return choice !== undefined && planned.choices.includes(choice) ? choice : planned.choices[0];
}

function content(
  file: FileKey,
  to: FileState,
  bytes: Uint8Array | undefined,
  save: boolean,
  planned: PlannedFile,
): ContentWrite[] {
  const write: ContentWrite = {
    type: 'content',
    file,
    to,
    save,
    planned,
    ...(to.kind === 'file' && bytes && { bytes }),
  };
  if (!takesOver(planned.current.state, to)) return [write];
  // A folder and a file cannot share the name for a moment: one goes, then the other comes.
  return [
    { type: 'content', file, to: absent, save, planned },
    { ...write, before: absent },
  ];
}

function takesOver(now: FileState, to: FileState): boolean {
  if (now.kind === 'absent' || to.kind === 'absent') return false;
  return (now.kind === 'folder') !== (to.kind === 'folder');
}

/** Orders renames so that each target is free when its turn comes; one whose target never is becomes a plain write. */
function orderRenames(
  moves: readonly PlannedFile[],
  plan: FilesPlan,
  stayed: ReadonlyMap<FileKey, Place>,
): { renames: RenameWrite[]; replaced: Set<FileKey> } {
  const present = new Set(
    plan.files.filter((file) => file.current.state.kind !== 'absent').map((file) => file.file),
  );
  const renames: RenameWrite[] = [];
  let waiting = moves.filter((move) => move.movedFrom !== undefined && !stayed.has(move.movedFrom));
  const replaced = new Set(moves.map((move) => move.file));
  for (let progress = true; progress;) {
    progress = false;
    for (const move of waiting) {
      const from = move.movedFrom;
      const caseOnly = from !== undefined && from.toLowerCase() === move.file.toLowerCase();
      if (from === undefined || (present.has(move.file) && !caseOnly)) continue;
      renames.push({ type: 'rename', from, to: move.file, planned: move });
      present.delete(from);
      present.add(move.file);
      replaced.delete(move.file);
      progress = true;
      waiting = waiting.filter((other) => other !== move);
      break;
    }
  }
  return { renames, replaced };
}

function orderContents(writes: readonly ContentWrite[]): ContentWrite[] {
  const depth = (file: FileKey): number => file.split('/').length;
  const late = writes.filter((write) => write.before !== undefined && write.to.kind !== 'folder');
  const givesWay = new Set(
    writes.filter((write) => write.before && write.to.kind === 'folder').map((write) => write.file),
  );
  const early = writes.filter((write) => write.to.kind === 'absent' && givesWay.has(write.file));
  const others = writes.filter((write) => !late.includes(write) && !early.includes(write));
  const isFolder = (write: ContentWrite): boolean =>
    write.to.kind === 'folder' ||
    (write.to.kind === 'absent' && write.planned.current.state.kind === 'folder');
  const folders = others.filter(isFolder);
  const made = folders
    .filter((write) => write.to.kind === 'folder')
    .sort((a, b) => depth(a.file) - depth(b.file));
  const removed = folders
    .filter((write) => write.to.kind === 'absent')
    .sort((a, b) => depth(b.file) - depth(a.file));
  return [...early, ...made, ...others.filter((write) => !isFolder(write)), ...removed, ...late];
}

function writeLinks(write: MoveWrite, plan: FilesPlan, renames: readonly RenameWrite[]): Link[] {
  const present = (file: FileKey): FileState => {
    const current = plan.files.find((other) => other.file === file)?.current;
    return current === undefined ? absent : countedAs(current);
  };
  if (write.type === 'rename') {
    return [
      { type: 'rename', from: write.from, to: write.to, state: present(write.from), by: 'move' },
    ];
  }
  const rename = renames.find((other) => other.to === write.file);
  const before = write.before ?? present(rename?.from ?? write.file);
  if (before.kind === 'folder' || write.to.kind === 'folder') {
    return [{ type: 'folder', folder: write.file, made: write.to.kind === 'folder', by: 'move' }];
  }
  return [{ type: 'change', file: write.file, before, after: write.to, by: 'move' }];
}
