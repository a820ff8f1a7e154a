// The snapshots of another coding agent, from its published package: a shadow Git repository over the whole tree.
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheFolder, npm } from '../test/kit/install.mts';

/** What is called of its GitService. */
export interface Peer {
  initialize(): Promise<void>;
  createFileSnapshot(message: string): Promise<string>;
  restoreProjectFromSnapshot(snapshot: string): Promise<void>;
}

const version = '0.61.0';

/** Returns the peer's own service for a project; what it stores goes under `home`. Fetched the first time. */
export async function openPeer(project: string, home: string): Promise<Peer> {
  const dist = join(await ensurePackage(), 'node_modules/@google/gemini-cli-core/dist/src');
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(dist, file)).href);
  const { GitService } = (await load('services/gitService.js')) as {
    GitService: new (project: string, storage: unknown) => Peer;
  };
  const { Storage } = (await load('config/storage.js')) as {
    Storage: new (project: string) => unknown;
  };
  process.env['GEMINI_CLI_HOME'] = home;
  const peer = new GitService(project, new Storage(project));
  await peer.initialize();
  return peer;
}

async function ensurePackage(): Promise<string> {
  const home = join(cacheFolder, `peer-${version}`);
  if (existsSync(home)) return home;
  console.error(`Fetching @google/gemini-cli-core ${version} (once) …`);
  const workshop = join(cacheFolder, `.peer-${process.pid}`);
  await mkdir(workshop, { recursive: true });
  try {
    await writeFile(join(workshop, 'package.json'), '{ "private": true }\n');
    await npm(workshop, ['install', '--ignore-scripts', `@google/gemini-cli-core@${version}`]);
    await rename(workshop, home);
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return home;
}
