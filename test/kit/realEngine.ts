import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Blobs } from '../../src/engine/blobs';
import type { FileSystem } from '../../src/engine/ports';
import { FilesHub, SessionFiles } from '../../src/host/files/workspaceFiles';
import type { NodePowers } from '../../src/host/files/powers';
import { hostRuntime } from '../../src/host/runtime';
import { createDigests, createNodePowers } from '../../src/node/main';
import { NodeFileSystem } from '../fakes/nodeFileSystem';
import { FakeLog } from '../fakes/runtime';
import { Uri, workspace } from '../fakes/vscode';
import { memoryEngine, type Script } from './memoryEngine';

/** As on a disk of one's own: what it works out is there at once, so that a test's timers are the only time there is. */
const runtime = { ...hostRuntime, ...createDigests() };

type Scripts = Readonly<Record<string, Script>>;

/** The product's engine, store, blobs and file service in plain Node, over real folders: `store` and `work` of a place. */
export function realEngine(place: string, scripts: Scripts, staleAfter?: number) {
  const [store, work] = ['store', 'work'].map((name) => pathToFileURL(join(place, name)).href);
  const files = new NodeFileSystem();
  const powers = createNodePowers();
  return productEngine(
    { files, work: files, powers, root: store, folder: work, staleAfter },
    scripts,
  );
}

/** The same over any file systems, one for the store and one for the workspace. */
export function productEngine(
  on: {
    readonly files: FileSystem;
    readonly work: FileSystem;
    readonly powers?: NodePowers;
    readonly root?: string | undefined;
    readonly folder?: string | undefined;
    readonly staleAfter?: number | undefined;
  },
  scripts: Scripts,
) {
  const { files, work, powers, root = 'memory:/store', folder = 'memory:/work' } = on;
  const { staleAfter } = on;
  workspace.workspaceFolders = [{ uri: Uri.parse(folder) }];
  const hub = new FilesHub({ files: work, runtime, powers });
  const blobs = new Blobs(root, { files, runtime, log: new FakeLog() });
  const own = new SessionFiles(hub, () => [{ id: 'f0', uri: folder, name: 'w' }]);
  const patience = staleAfter === undefined ? {} : { staleAfter };
  return memoryEngine(
    { disk: files, workspace: own, blobs, root, folder, runtime, ...patience },
    scripts,
  );
}
