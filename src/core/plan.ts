import { isUnsaved, sameContent, sideOf, type FileState } from './changes';
import type { FileKey } from './fileKey';
import { foldRoute, type Folded, type FoldReader } from './fold';
import type { Place } from './ids';
import type { Standing } from './journal';
import { countLines } from './lineDiff';
import { changesOf } from './node';
import { placeOf, planRoutes, stepsBetween, type Journey } from './route';
import type { SessionState } from './session';

/** How a file may be settled: left as it is, set to the target's bytes, or merged. */
export type FileChoice = 'keep' | 'restore' | 'merge';

/** What a move will do to one file, before anything is written. */
export interface PlannedFile extends Folded {
  /** Where the file stands now. */
  readonly place: Place;
  readonly kind:
    'unchanged' | 'restore' | 'merge' | 'delete' | 'move' | 'conflict' | 'stands at' | 'uncovered';
  /** For `stands at`: the place whose recorded state the present bytes are. */
  readonly standsAt?: Place;
  /** What can be chosen, the default first; empty where there is nothing to choose. */
  readonly choices: readonly FileChoice[];
  /** Bytes of the target where `restore` may be chosen and the target is a file. */
  readonly targetBytes?: Uint8Array;
  /** Nothing the user had not saved is left in the result, so the document ends up saved. */
  readonly save: boolean;
  readonly added?: number;
  readonly removed?: number;
}

/** A move worked out: pinned to the bytes it was made from. */
export interface FilesPlan {
  readonly files: readonly PlannedFile[];
  readonly journey: Journey;
}

/** What a plan reads: as the fold does, and whether a file has unsaved text. */
export interface PlanReader extends FoldReader {
  current(file: FileKey): Promise<PlanInput>;
}

export interface PlanInput {
  readonly state: FileState;
  readonly bytes?: Uint8Array;
  readonly unsaved: boolean;
  readonly disk: FileState;
  readonly diskBytes?: Uint8Array;
  readonly link?: string;
  readonly replaced?: FileState;
}

/** Plans the file side of a move. Reads present bytes and blobs; its cost depends only on the files on the way. */
export async function planFiles(
  session: SessionState,
  journey: Journey,
  reader: PlanReader,
): Promise<FilesPlan> {
  const cached = cachedReader(reader);
  const routes = planRoutes(session.nodes, journey);
  const folded = await Promise.all(
    routes.map(async (route) => {
      const results = await foldRoute(route, cached);
      const unsaved = await unsavedFiles(route.files, cached);
      const onDisk = unsaved.size === 0 ? [] : await foldRoute(route, diskReader(cached, unsaved));
      return results.map((result) => {
        const beneath = onDisk.find((other) => other.file === result.file);
        if (!unsaved.has(result.file)) return { result, save: true };
        return { result: beneathUnsaved(result, beneath), save: sameResult(result, beneath) };
      });
    }),
  );
  const files = await Promise.all(
    folded.flat().map(({ result, save }) => describe(session, journey, cached, result, save)),
  );
  return { files: files.sort((a, b) => (a.file < b.file ? -1 : 1)), journey };
}

/** Says whether a plan would write or leave something behind: otherwise there is nothing to ask. */
export function changesFiles(plan: FilesPlan): boolean {
  return plan.files.some((file) => file.kind !== 'unchanged');
}

/** Says whether every file goes exactly to a recorded state, with nothing to choose. */
export function isPlain(plan: FilesPlan): boolean {
  return plan.files.every((file) => file.choices.length === 0 && file.problem === undefined);
}

async function describe(
  session: SessionState,
  journey: Journey,
  reader: PlanReader,
  folded: Folded,
  save: boolean,
): Promise<PlannedFile> {
  const { file, current, result, problem, target } = folded;
  const place = placeOf(journey.from, file);
  const common = { ...folded, place, save };
  if (problem?.kind === 'uncovered') return { ...common, kind: 'uncovered', choices: [] };
  const restorable =
    problem !== undefined || folded.merged ? await targetBytes(reader, target) : undefined;
  const canRestore = restorable?.ok === true ? (['restore'] as const) : [];
  const bytesOfTarget = restorable?.bytes === undefined ? {} : { targetBytes: restorable.bytes };
  if (problem !== undefined) {
    if (target !== undefined && sameContent(current.state, target))
      return { ...common, kind: 'unchanged', choices: [] };
    const standsAt = recordedPlace(session, file, current.state);
    const counted = isUnsaved(current.state) ? {} : count(current.bytes, restorable?.bytes);
    const choices = ['keep', ...canRestore] as const;
    if (standsAt === undefined)
      return { ...common, ...bytesOfTarget, ...counted, kind: 'conflict', choices };
    return { ...common, ...bytesOfTarget, ...counted, kind: 'stands at', standsAt, choices };
  }
  if (folded.movedFrom !== undefined)
    return { ...common, kind: 'move', choices: [], ...(await countMove(reader, folded)) };
  const sameMode =
    result.kind !== 'file' || current.state.kind !== 'file' || result.mode === current.state.mode;
  if (sameContent(result, current.state) && sameMode)
    return { ...common, kind: 'unchanged', choices: [] };
  const counted = count(current.bytes, folded.bytes);
  if (folded.merged) {
    return {
      ...common,
      ...bytesOfTarget,
      ...counted,
      kind: 'merge',
      choices: ['merge', 'keep', ...canRestore],
    };
  }
  return {
    ...common,
    ...counted,
    kind: result.kind === 'absent' ? 'delete' : 'restore',
    choices: [],
  };
}

async function targetBytes(
  reader: PlanReader,
  target: FileState | undefined,
): Promise<{ ok: boolean; bytes?: Uint8Array }> {
  if (target === undefined || target.kind === 'uncovered') return { ok: false };
  if (target.kind !== 'file') return { ok: true };
  const bytes = await reader.blob(target.hash);
  return bytes === undefined ? { ok: false } : { ok: true, bytes };
}

/** Returns a place where the session recorded exactly this state of the file. */
function recordedPlace(session: SessionState, file: FileKey, state: FileState): Place | undefined {
  if (state.kind === 'absent') return undefined;
  for (const id of session.touching.get(file) ?? []) {
    const node = session.nodes.get(id);
    if (node === undefined) continue;
    const links = changesOf(node).filter((link) => sideOf(link, file, 'after') !== undefined);
    const [first, last] = [links[0], links.at(-1)];
    const after = last && sideOf(last, file, 'after');
    if (after !== undefined && sameContent(after, state)) return id;
    const before = first && sideOf(first, file, 'before');
    if (before !== undefined && sameContent(before, state)) return node.filesFrom;
  }
  return undefined;
}

const empty = new Uint8Array();

function count(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): { added?: number; removed?: number } {
  return countLines(before ?? empty, after ?? empty) ?? {};
}

async function countMove(
  reader: PlanReader,
  folded: Folded,
): Promise<{ added?: number; removed?: number }> {
  if (folded.movedFrom === undefined) return {};
  const source = await reader.current(folded.movedFrom);
  return count(source.bytes, folded.bytes);
}

function cachedReader(reader: PlanReader): PlanReader {
  const seen = new Map<FileKey, Promise<PlanInput>>();
  return {
    current(file) {
      const known = seen.get(file) ?? reader.current(file);
      seen.set(file, known);
      return known;
    },
    blob: (hash) => reader.blob(hash),
    sha256: (bytes) => reader.sha256(bytes),
  };
}

async function unsavedFiles(
  files: ReadonlySet<FileKey>,
  reader: PlanReader,
): Promise<Set<FileKey>> {
  const inputs = await Promise.all(
    [...files].map(async (file) => ({ file, input: await reader.current(file) })),
  );
  return new Set(inputs.filter(({ input }) => input.unsaved).map(({ file }) => file));
}

function diskReader(reader: PlanReader, unsaved: ReadonlySet<FileKey>): FoldReader {
  return {
    ...reader,
    async current(file) {
      const input = await reader.current(file);
      if (!unsaved.has(file)) return input;
      return {
        state: input.disk,
        disk: input.disk,
        ...(input.diskBytes && { bytes: input.diskBytes }),
      };
    },
  };
}

/** A command may have changed the disk under unsaved text that stays as it is: what lies there is then to be decided. */
function beneathUnsaved(folded: Folded, disk: Folded | undefined): Folded {
  const stays = folded.problem === undefined && sameContent(folded.result, folded.current.state);
  const goes =
    disk?.problem === undefined &&
    disk?.merged === false &&
    !sameContent(disk.result, disk.current.state);
  return stays && goes ? { ...folded, problem: { kind: 'conflict', why: 'changed' } } : folded;
}

function sameResult(a: Folded, b: Folded | undefined): boolean {
  return (
    b !== undefined &&
    a.problem === undefined &&
    b.problem === undefined &&
    sameContent(a.result, b.result)
  );
}

/** Returns the standing a settled move leaves: files that did not come along keep a place of their own. */
export function settledStanding(
  session: SessionState,
  journey: Journey,
  head: Standing['head'],
  stayed: ReadonlyMap<FileKey, Place>,
): Standing {
  const { only, from, to } = journey;
  const filesHead = only === undefined ? to.filesHead : from.filesHead;
  const apart: Record<FileKey, Place> = {};
  const consider = (file: FileKey, place: Place): void => {
    const differs = stepsBetween(session.nodes, place, filesHead).some(
      ({ link }) => sideOf(link, file, 'after') !== undefined,
    );
    if (differs) apart[file] = place;
  };
  if (only === undefined) {
    for (const [file, place] of Object.entries(to.apart))
      if (!stayed.has(file)) consider(file, place);
  } else {
    for (const [file, place] of Object.entries(from.apart)) {
      if (!only.has(file) && !stayed.has(file)) consider(file, place);
    }
    for (const file of only) if (!stayed.has(file)) consider(file, placeOf(to, file));
  }
  for (const [file, place] of stayed) consider(file, place);
  return { head, filesHead, apart };
}
