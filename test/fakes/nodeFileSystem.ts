import {
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  lstat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  FsError,
  type FileSystem,
  type FsErrorCode,
  type FsKind,
  type FsStat,
} from '../../src/engine/ports.ts';

/** Files of this machine by `file:` URIs, behaving as `workspace.fs` does. */
export class NodeFileSystem implements FileSystem {
  stat(uri: string): Promise<FsStat> {
    return mapped(uri, async (path) => {
      const link = (await lstat(path)).isSymbolicLink();
      const found = await stat(path);
      const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
      return {
        kind,
        link,
        size: found.size,
        mtime: found.mtimeMs,
        readonly: (found.mode & 0o222) === 0,
      };
    });
  }

  read(uri: string): Promise<Uint8Array> {
    return mapped(uri, async (path) => new Uint8Array(await readFile(path)));
  }

  write(uri: string, bytes: Uint8Array): Promise<void> {
    return mapped(uri, async (path) => {
      try {
        await writeFile(path, bytes);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, bytes);
      }
    });
  }

  rename(from: string, to: string, overwrite: boolean): Promise<void> {
    return mapped(from, async (source) => {
      const target = fileURLToPath(to);
      await lstat(source);
      if (overwrite) {
        // As the file service of VS Code does it: a crash between leaves only the source.
        await rm(target, { force: true });
      } else if (await isThere(target)) {
        throw new FsError('exists', to);
      }
      await mkdir(dirname(target), { recursive: true });
      await rename(source, target);
    });
  }

  delete(uri: string, recursive: boolean): Promise<void> {
    return mapped(uri, async (path) => {
      if (!recursive && (await lstat(path)).isDirectory()) await rmdir(path);
      else await rm(path, { recursive });
    });
  }

  list(uri: string): Promise<readonly (readonly [string, FsKind])[]> {
    return mapped(uri, async (path) =>
      (await readdir(path, { withFileTypes: true })).map((entry) => [
        entry.name,
        entry.isFile()
          ? 'file'
          : entry.isDirectory()
            ? 'folder'
            : entry.isSymbolicLink()
              ? 'symlink'
              : 'other',
      ]),
    );
  }

  makeFolder(uri: string): Promise<void> {
    return mapped(uri, async (path) => {
      await mkdir(path, { recursive: true });
    });
  }
}

const codes: Readonly<Record<string, FsErrorCode>> = {
  ENOENT: 'not found',
  EEXIST: 'exists',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'no permission',
  ENOSPC: 'no space',
  EDQUOT: 'no space',
};

async function mapped<T>(uri: string, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(fileURLToPath(uri));
  } catch (error) {
    if (error instanceof FsError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new FsError(codes[codeOf(error) ?? ''] ?? 'unknown', message, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
