import {
  chmod,
  lstat,
  mkdir,
  readlink,
  realpath,
  stat,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises';
import type { BigIntStats, Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Look, NodePowers } from '../host/files/powers';

export { createDigests } from './digests';
export { createShell } from './shell';
export { createTree } from './tree';

/** Returns what needs the disk itself: modes, links and real places, for `file` URIs. */
export function createNodePowers(): NodePowers {
  return {
    handles: (uri) => uri.startsWith('file:'),
    look: (uri) => at(uri, look),
    modes: {
      get: (uri) => at(uri, async (path) => modeOf(await orAbsent(stat(path)))),
      set: async (uri, mode) => {
        if (process.platform !== 'win32') await at(uri, (path) => chmod(path, mode));
      },
    },
    realPath: (uri) => at(uri, async (path) => pathToFileURL(await realPlace(path)).href),
    readLink: (uri) => at(uri, (path) => orAbsent(readlink(path))),
    makeLink: async (uri, target) => {
      await at(uri, async (path) => {
        await mkdir(dirname(path), { recursive: true });
        await symlink(target, path);
      });
    },
    removeLink: async (uri) => {
      await at(uri, (path) => unlink(path));
    },
    whileOld: async (uri, act) => {
      await at(uri, (path) => whileOld(path, act));
    },
  };
}

async function whileOld(path: string, act: () => Promise<void>): Promise<void> {
  const before = await orAbsent(stat(path));
  if (before === undefined) return act();
  await utimes(path, before.atime, new Date(0));
  try {
    await act();
  } finally {
    const after = await orAbsent(stat(path));
    if (after?.mtimeMs === 0) await utimes(path, before.atime, before.mtime);
  }
}

async function at<T>(uri: string, act: (path: string) => Promise<T>): Promise<T | undefined> {
  return uri.startsWith('file:') ? act(fileURLToPath(uri)) : undefined;
}

async function look(path: string): Promise<Look | undefined> {
  const itself = await orAbsent(lstat(path, { bigint: true }));
  if (itself === undefined) return undefined;
  if (!itself.isSymbolicLink()) return lookAt(itself);
  const linkTarget = await readlink(path);
  const end = await orAbsent(stat(path, { bigint: true }));
  if (end === undefined) return { kind: 'nothing', linkTarget, size: 0 };
  return { ...lookAt(end), linkTarget };
}

function lookAt(stats: BigIntStats): Look {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  const bits = modeOf(stats);
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  const version = {
    text: [dev, ino, size, mtimeNs, ctimeNs].join(),
    changedAt: Number(stats.mtimeMs > stats.ctimeMs ? stats.mtimeMs : stats.ctimeMs),
    fine: mtimeNs % 1_000_000_000n !== 0n,
  };
  return { kind, size: Number(size), version, ...(bits === undefined ? {} : { mode: bits }) };
}

/** Windows makes permission bits up; recording them would only tell differences that are none. */
function modeOf(stats: Stats | BigIntStats | undefined): number | undefined {
  return stats === undefined || process.platform === 'win32'
    ? undefined
    : Number(stats.mode) & 0o777;
}

/** Follows the links of the part of a path that exists; a link to nothing is followed to where a write would land. */
async function realPlace(path: string, hops = 0): Promise<string> {
  const found = await orAbsent(realpath(path));
  if (found !== undefined) return found;
  const target = hops < 40 ? await orAbsent(readlink(path).catch(notALink)) : undefined;
  if (target !== undefined) {
    const parent = await realPlace(dirname(path), hops + 1);
    return realPlace(resolve(parent, target), hops + 1);
  }
  const parent = dirname(path);
  return parent === path ? path : join(await realPlace(parent, hops), basename(path));
}

function notALink(error: unknown): undefined {
  if (codeOf(error) === 'EINVAL' || codeOf(error) === 'UNKNOWN') return undefined;
  throw error;
}

async function orAbsent<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    const code = codeOf(error);
    // A file in the middle of the path means that nothing can be below it; a circle of links leads nowhere.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
