// Runs inside the extension host, as an extension of the benchmark's own: what turns and moves cost over `workspace.fs`.
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { FileSystem } from '../src/engine/ports.ts';
import { mapBounded, width } from '../src/engine/store/parallel.ts';
import { vscodeFileSystem } from '../src/host/files/vscodeFileSystem.ts';
import { openFileTurns, type Edit, type How } from './fileTurns.ts';
import { editsOf, takeFrom } from './trees.ts';

/** What the host tells the benchmark; times in milliseconds, one of each round. */
export interface HostMeasures {
  /** Calls of `workspace.fs` for each edited file, on the file itself, its copies and what is written ahead. */
  readonly callsPerEdit: number;
  /** All calls of a turn of 5 edited files beyond those of one that only reads: the messages' own records are in neither. */
  readonly callsPerTurn: number;
  /** Renames over what is there, of nodes, copies of files and what is written ahead. */
  readonly renamesOver: number;
  readonly checkpoint: readonly number[];
  readonly rewind: readonly number[];
  readonly bare: readonly number[];
  readonly manyRewind: readonly number[];
  readonly manyBare: readonly number[];
}

interface Call {
  readonly name: string;
  readonly uri: string;
}

/** Registers the one command. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(vscode.commands.registerCommand('retrace-bench.files', measure));
}

async function measure(home: string, paths: readonly string[]): Promise<HostMeasures> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) throw new Error('A folder is needed.');
  const project = folder.uri.fsPath;
  const calls: Call[] = [];
  const turns = await openFileTurns(project, home, counting(calls));
  const next = takeFrom(paths);
  const run = async (edits: readonly Edit[], how: How): Promise<[number, readonly Call[]]> => {
    const from = calls.length;
    const begin = performance.now();
    await turns.turn(edits, how);
    const time = performance.now() - begin;
    const made = calls.slice(from);
    await turns.settled();
    return [time, made];
  };
  const times = {
    ...{ checkpoint: [] as number[], rewind: [] as number[], bare: [] as number[] },
    ...{ manyRewind: [] as number[], manyBare: [] as number[] },
  };
  const perEdit: number[] = [];
  const perTurn: number[] = [];
  const over: Call[] = [];
  for (let round = 0; round < 12; round += 1) {
    const [readTime, read] = await run(await editsOf(project, next(5), round), 'only read');
    const edits = await editsOf(project, next(5), round);
    const [time, made] = await run(edits, 'edit');
    // The first turn opens the store.
    if (round === 0) continue;
    times.checkpoint.push(time - readTime);
    const ofFiles = (all: readonly Call[]): number =>
      all.filter((each) => isOfFiles(each, project)).length;
    perEdit.push((ofFiles(made) - ofFiles(read)) / edits.length);
    perTurn.push(made.length - read.length);
    over.push(...made.filter(({ name, uri }) => name === 'rename over' && isStored(uri)));
    times.rewind.push(await timed(() => turns.rewind()));
    await turns.settled();
    const bare = await editsOf(project, next(5), round);
    times.bare.push(await timed(() => bareEdits(project, `${home}/bare`, bare, round)));
  }
  const many = paths.slice(0, 1_000);
  for (let round = 0; round < 3; round += 1) {
    const edits = await editsOf(project, many, round);
    await run(edits, 'edit');
    times.manyRewind.push(await timed(() => turns.rewind()));
    await turns.settled();
    times.manyBare.push(await timed(() => bareMove(project, edits)));
  }
  return {
    callsPerEdit: Math.max(...perEdit),
    callsPerTurn: Math.max(...perTurn),
    renamesOver: over.length,
    ...times,
  };
}

/** The folder of what was written ahead goes once a turn, not for each file. */
function isOfFiles({ name, uri }: Call, project: string): boolean {
  return (
    uri.startsWith(`${pathToFileURL(project).href}/`) ||
    uri.includes('/blobs/') ||
    (uri.includes('/ahead-') && name !== 'delete')
  );
}

function isStored(uri: string): boolean {
  return ['/blobs/', '/records/', '/segments/', '/ahead-'].some((part) => uri.includes(part));
}

/** The calls a checkpointed edit makes, for each file in turn: copy, written ahead, write, read back, copy. */
async function bareEdits(
  project: string,
  home: string,
  edits: readonly Edit[],
  round: number,
): Promise<void> {
  for (const { path, bytes } of edits) {
    const uri = `${pathToFileURL(project).href}/${path}`;
    const own = `${pathToFileURL(home).href}/${round}-${path.replaceAll('/', '-')}`;
    await vscodeFileSystem.write(`${own}-before`, bytes);
    await vscodeFileSystem.write(`${own}-ahead`, bytes.subarray(0, 600));
    await vscodeFileSystem.write(uri, bytes);
    await vscodeFileSystem.read(uri);
    await vscodeFileSystem.write(`${own}-after`, bytes);
  }
}

/** The calls of a move, as many at once: what is there, its copy, write, read back. */
async function bareMove(project: string, edits: readonly Edit[]): Promise<void> {
  const uriOf = ({ path }: Edit): string => `${pathToFileURL(project).href}/${path}`;
  await mapBounded(edits, (edit) => vscodeFileSystem.read(uriOf(edit)), width);
  await mapBounded(edits, (edit) => vscodeFileSystem.read(uriOf(edit)), width);
  await mapBounded(
    edits,
    async (edit) => {
      await vscodeFileSystem.write(uriOf(edit), edit.bytes);
      await vscodeFileSystem.read(uriOf(edit));
    },
    width,
  );
}

function counting(calls: Call[]): FileSystem {
  const note = (name: string, uri: string): void => void calls.push({ name, uri });
  const files = vscodeFileSystem;
  return {
    stat: (uri) => (note('stat', uri), files.stat(uri)),
    read: (uri) => (note('read', uri), files.read(uri)),
    write: (uri, bytes) => (note('write', uri), files.write(uri, bytes)),
    rename: (from, to, overwrite) => (
      note(overwrite ? 'rename over' : 'rename', to),
      files.rename(from, to, overwrite)
    ),
    delete: (uri, recursive) => (note('delete', uri), files.delete(uri, recursive)),
    list: (uri) => (note('list', uri), files.list(uri)),
    makeFolder: (uri) => (note('makeFolder', uri), files.makeFolder(uri)),
  };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await act();
  return performance.now() - begin;
}
