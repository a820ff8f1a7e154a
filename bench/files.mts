// What checkpoints and moves of files cost: the product's own engine, store and file service in plain Node, beside the
// snapshots of another coding agent on the same trees in the same run, and beside bare calls of the file system.
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Uri, workspace } from '../test/fakes/vscode.ts';
import { openFileTurns, type Edit } from './fileTurns.ts';
import { median, medianTime, print, ratio, type Ratio } from './harness.mts';
import { openPeer } from './peer.mts';
import { editsOf, makeTree, takeFrom } from './trees.ts';

const rounds = 15;
const firsts = 7;
/** For a quick look: only what a word on the command line names. */
const only = process.argv[2];
const place = await mkdtemp(join(tmpdir(), 'retrace-files-'));

interface TreeTimes {
  readonly first: number;
  readonly checkpoint: number;
  /** The whole turn: messages stored, files read, written and read back, and the checkpoint. */
  readonly turn: number;
  readonly rewind: number;
  readonly peerFirst: number;
  readonly peerSnapshot: number;
  readonly peerRestore: number;
}

try {
  const few = { ...(await measureThousand()), ...(await measureStored()) };
  print('files', only === 'few' ? few : { ...(await measureTrees()), ...few });
} finally {
  await rm(place, { recursive: true, force: true });
}

async function measureTrees(): Promise<Record<string, Ratio>> {
  const small = await measureTree(5_000);
  const large = await measureTree(30_000);
  return {
    'checkpoint of 5 files beside a snapshot, 5,000 files, ms': ratio(
      ...[small.checkpoint, small.peerSnapshot, 1 / 20],
    ),
    'checkpoint of 5 files beside a snapshot, 30,000 files, ms': ratio(
      ...[large.checkpoint, large.peerSnapshot, 1 / 60],
    ),
    'whole turn of 5 edits beside a snapshot, 30,000 files, ms': ratio(
      ...[large.turn, large.peerSnapshot, 1],
    ),
    'checkpoint at 30,000 files beside 5,000, ms': ratio(large.checkpoint, small.checkpoint, 1.5),
    'first checkpoint beside a snapshot, 5,000 files, ms': ratio(
      ...[small.first, small.peerSnapshot, 1 / 20],
    ),
    'first checkpoint beside a snapshot, 30,000 files, ms': ratio(
      ...[large.first, large.peerSnapshot, 1 / 60],
    ),
    'first checkpoint at 30,000 files beside 5,000, ms': ratio(large.first, small.first, 1.5),
    'first checkpoint beside a first snapshot, 30,000 files, ms': ratio(
      ...[large.first, large.peerFirst, 1 / 60],
    ),
    'rewind of 5 files beside a restore, 5,000 files, ms': ratio(
      ...[small.rewind, small.peerRestore, 1 / 20],
    ),
    'rewind of 5 files beside a restore, 30,000 files, ms': ratio(
      ...[large.rewind, large.peerRestore, 1 / 20],
    ),
  };
}

/** One tree, both products: the same files are edited, snapshot, and put back. */
async function measureTree(count: number): Promise<TreeTimes> {
  const { project, paths } = await openProject(`tree-${count}`, count);
  const peer = await openPeer(project, join(place, `peer-${count}`));
  const peerFirst = await medianTime(1, () => peer.createFileSnapshot('first'));
  const times = {
    ...{ first: [] as number[], checkpoint: [] as number[], rewind: [] as number[] },
    ...{ bare: [] as number[], snapshot: [] as number[], restore: [] as number[] },
  };
  const next = takeFrom(paths);
  for (let run = 0; run < firsts; run += 1) {
    // A store that was never written to: the first checkpoint makes it.
    const turns = await openFileTurns(project, join(place, `first-${count}-${run}`));
    const edits = await editsOf(project, next(5), run);
    times.first.push(await timed(() => turns.turn(edits)));
    await turns.settled();
  }
  const turns = await openFileTurns(project, join(place, `home-${count}`));
  await turns.fill();
  for (let round = 0; round < rounds; round += 1) {
    const bare = await editsOf(project, next(5), round);
    times.bare.push(await timed(() => turns.turn(bare, 'write bare')));
    await turns.settled();
    await peer.createFileSnapshot(`before round ${round}`);
    const edits = await editsOf(project, next(5), round);
    times.checkpoint.push(await timed(() => turns.turn(edits)));
    await turns.settled();
    let snapshot = '';
    times.snapshot.push(
      await timed(async () => (snapshot = await peer.createFileSnapshot(`round ${round}`))),
    );
    times.rewind.push(await timed(() => turns.rewind()));
    await turns.settled();
    times.restore.push(await timed(() => peer.restoreProjectFromSnapshot(snapshot)));
  }
  return {
    // What a turn of the same reads and writes takes without checkpoints is not theirs.
    first: median(times.first) - median(times.bare),
    checkpoint: median(times.checkpoint) - median(times.bare),
    turn: median(times.checkpoint),
    rewind: median(times.rewind),
    peerFirst,
    peerSnapshot: median(times.snapshot),
    peerRestore: median(times.restore),
  };
}

/** A turn over 1,000 files, and its rewind, beside reading, writing and reading back as many. */
async function measureThousand(): Promise<Record<string, Ratio>> {
  const { project, paths } = await openProject('thousand', 1_000);
  const turns = await openFileTurns(project, join(place, 'home-thousand'));
  const times = {
    ...{ turn: [] as number[], rewind: [] as number[] },
    ...{ oneByOne: [] as number[], together: [] as number[] },
  };
  for (let round = 0; round < 5; round += 1) {
    const edits = await editsOf(project, paths, round);
    times.turn.push(await timed(() => turns.turn(edits)));
    await turns.settled();
    times.rewind.push(await timed(() => turns.rewind()));
    await turns.settled();
    times.oneByOne.push(await timed(() => plain(project, edits, 1)));
    times.together.push(await timed(() => plain(project, edits, 64)));
  }
  return {
    'turn of 1,000 files beside plain calls, ms': ratio(
      ...[median(times.turn), median(times.oneByOne), 2.5],
    ),
    'rewind of 1,000 files beside plain calls, ms': ratio(
      ...[median(times.rewind), median(times.together), 2.5],
    ),
  };
}

/** What turns leave on disk, beside what the images of their files take as gzip. */
async function measureStored(): Promise<Record<string, Ratio>> {
  // Of some 170 lines, as source files are; in the large trees they are shorter, for the other one's sake.
  const { project, paths } = await openProject('stored', 100, 300);
  await writeFile(join(project, 'large.bin'), new Uint8Array(60e6).fill(7));
  const home = join(place, 'home-stored');
  const turns = await openFileTurns(project, home);
  const stored: number[] = [];
  const allowed: number[] = [];
  const next = takeFrom(paths);
  const begin = await sizeOf(home);
  for (let round = 0; round < 20; round += 1) {
    const edits = await editsOf(project, next(5), round);
    let images = 0;
    for (const { path, bytes } of edits)
      images += gzipSync(await readFile(join(project, path))).length + gzipSync(bytes).length;
    const before = await sizeOf(home);
    await turns.turn(edits);
    await turns.settled();
    stored.push(((await sizeOf(home)) - before) / 1000);
    allowed.push((1.1 * images) / 1000 + 1);
  }
  return {
    'stored a turn of 5 files beside 1.1 × gzip + 1 kB, kB': ratio(
      ...[median(stored), median(allowed), 1],
    ),
    'stored by 20 turns beside a 60 MB file, kB': ratio(
      ...[((await sizeOf(home)) - begin) / 1000, 1_000, 1],
    ),
  };
}

/** Makes a tree the one folder of the workspace. */
async function openProject(name: string, count: number, most?: number) {
  const project = join(place, name);
  workspace.workspaceFolders = [{ uri: Uri.file(project) }];
  return { project, paths: await makeTree(project, count, most) };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  // What the one before left for the disk to do is not this one's.
  await setTimeout(150);
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}

async function plain(project: string, edits: readonly Edit[], width: number): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let edit = edits[next++]; edit !== undefined; edit = edits[next++]) {
      const path = join(project, edit.path);
      const before = await readFile(path);
      await writeFile(path, edit.bytes);
      if ((await readFile(path)).length === 0 && before.length === 0) throw new Error(path);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries)
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
  return sum;
}
