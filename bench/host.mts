// What checkpoints and moves of files cost inside a real VS Code: calls of `workspace.fs` counted, times beside the same
// calls made bare in the same run, and beside the snapshots of another coding agent.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../scripts/run.mts';
import { openWorkbench } from '../test/kit/workbench.mts';
import type { HostMeasures } from './hostTurns.ts';
import { median, medianTime, print, ratio, type Ratio } from './harness.mts';
import { openPeer } from './peer.mts';
import { editsOf, makeTree, takeFrom } from './trees.ts';

const place = await mkdtemp(join(tmpdir(), 'retrace-host-'));
try {
  const extension = await makeExtension(join(place, 'extension'));
  print('host', {
    ...(await measureTree(extension, 5_000)),
    ...(await measureTree(extension, 30_000)),
  });
} finally {
  await rm(place, { recursive: true, force: true });
}

/** What must hold is the calls, and the time beside the same calls made bare; beside the peer the aim is less than 1. */
async function measureTree(extension: string, count: number): Promise<Record<string, Ratio>> {
  const project = join(place, `tree-${count}`);
  const paths = await makeTree(project, count);
  const workbench = await openWorkbench({ folder: project, extensions: [extension] });
  let measures: HostMeasures;
  try {
    const home = join(place, `home-${count}`);
    measures = await workbench.execute<HostMeasures>('retrace-bench.files', home, paths);
  } finally {
    await workbench.close();
  }
  const peer = await openPeer(project, join(place, `peer-${count}`));
  await peer.createFileSnapshot('first');
  const next = takeFrom(paths.toReversed());
  let round = 0;
  let snapshot = '';
  const change = async (): Promise<void> => {
    for (const { path, bytes } of await editsOf(project, next(5), (round += 1)))
      await writeFile(join(project, path), bytes);
  };
  const peerSnapshot = await medianTime(
    ...[9, async () => (snapshot = await peer.createFileSnapshot('next')), change],
  );
  const peerRestore = await medianTime(
    ...[9, () => peer.restoreProjectFromSnapshot(snapshot), change],
  );
  const checkpoint = median(measures.checkpoint);
  const rewind = median(measures.rewind);
  const files = `${count.toLocaleString('en')} files`;
  return {
    [`calls an edited file, ${files}`]: ratio(measures.callsPerEdit, 5, 1),
    [`calls a turn of 5 edited files beyond one that reads, ${files}`]: ratio(
      ...[measures.callsPerTurn, 5 * 5, 1.2],
    ),
    [`renames over an existing node or copy, ${files}`]: ratio(measures.renamesOver, 1, 0),
    [`checkpoint of 5 files beside the same calls bare, ${files}, ms`]: ratio(
      ...[checkpoint, median(measures.bare), 1.5],
    ),
    [`rewind of 1,000 files beside the same calls bare, ${files}, ms`]: ratio(
      ...[median(measures.manyRewind), median(measures.manyBare), 1.5],
    ),
    [`checkpoint of 5 files beside a snapshot, ${files}, ms`]: ratio(checkpoint, peerSnapshot, 1),
    [`rewind of 5 files beside a restore, ${files}, ms`]: ratio(rewind, peerRestore, 1),
  };
}

/** Makes an extension of the benchmark's own that runs the product's source in the extension host. */
async function makeExtension(folder: string): Promise<string> {
  await mkdir(folder);
  const manifest = {
    ...{ name: 'retrace-bench', publisher: 'retrace', version: '0.0.0', main: './main.js' },
    ...{
      engines: { vscode: '^1.100.0' },
      capabilities: { untrustedWorkspaces: { supported: true } },
    },
    // Activated by the call itself.
    contributes: { commands: [{ command: 'retrace-bench.files', title: 'Measure' }] },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await build({
    ...{ entryPoints: [join(root, 'bench/hostTurns.ts')], outfile: join(folder, 'main.js') },
    ...{ bundle: true, format: 'cjs', platform: 'node', target: 'node20', external: ['vscode'] },
    ...{ mainFields: ['module', 'main'], logLevel: 'warning' },
  });
  return folder;
}
