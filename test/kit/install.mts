// Real VS Code builds from the npm registry: the package code-server carries VS Code's own server.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Version = '1.139.1' | '1.100.3';

/** The VS Code most tests run in, and the oldest one supported. */
export const mainVersion: Version = '1.139.1';
export const oldestVersion: Version = '1.100.3';

const packages: Record<Version, string> = {
  '1.139.1': 'code-server@4.139.1',
  '1.100.3': 'code-server@4.100.3',
};

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const cacheFolder = join(root, '.vscode-test');

/** Returns the folder of VS Code's server, fetching it first if this is the first time. */
export async function ensureVSCode(version: Version): Promise<string> {
  const home = join(cacheFolder, version);
  const server = join(home, 'node_modules', 'code-server', 'lib', 'vscode');
  // The folder gets its name only when all of it is there, so an interrupted fetch leaves nothing to trust.
  if (existsSync(home)) return server;

  console.log(`Fetching VS Code ${version} into ${home} (once, about 30 seconds) …`);
  await removeLeftovers(version);
  const workshop = join(cacheFolder, `.${version}-${process.pid}`);
  await mkdir(workshop, { recursive: true });
  try {
    await writeFile(join(workshop, 'package.json'), '{ "private": true }\n');
    // Install scripts would compile for minutes what is not needed here.
    await npm(workshop, ['install', '--ignore-scripts', packages[version]]);
    await npm(join(workshop, 'node_modules', 'code-server', 'lib', 'vscode'), [
      'install',
      '--omit=dev',
      '--ignore-scripts',
    ]);
    await rename(workshop, home);
  } catch (error) {
    if (existsSync(home)) return server; // Another run was faster.
    throw new Error(
      `VS Code ${version} could not be fetched. It comes from the npm registry (${packages[version]}), so this needs a network ` +
        `the first time; afterwards it is kept in ${cacheFolder}.`,
      { cause: error },
    );
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  return server;
}

async function removeLeftovers(version: Version): Promise<void> {
  const names = await readdir(cacheFolder).catch(() => []);
  for (const name of names) {
    const pid = Number(name.startsWith(`.${version}-`) ? name.slice(version.length + 2) : NaN);
    if (Number.isInteger(pid) && !isAlive(pid))
      await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs npm in a folder of its own, apart from this project. */
export function npm(folder: string, args: readonly string[]): Promise<void> {
  // `npm run` describes this project to its scripts; the install is of another one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(package|lifecycle)_|^npm_config_(local_prefix|omit_lockfile)/i.test(name),
    ),
  );
  const options = [
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
  ];
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn('npm', [...args, ...options], {
      cwd: folder,
      env,
      shell: process.platform === 'win32',
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`npm ${args.join(' ')} ended with ${code ?? 'a signal'}:\n${output.trim()}`),
        );
    });
  });
}
