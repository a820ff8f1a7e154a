import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodePowers } from '../../../src/node/main';

const powers = createNodePowers();
let folder: string;
const at = (...names: string[]): string => pathToFileURL(join(folder, ...names)).href;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'powers-')));
});
afterEach(() => rm(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('powers of a host with a disk', () => {
  it('sees kinds, sizes, modes and link targets', async () => {
    await writeFile(join(folder, 'a #1%.sh'), 'abc');
    await chmod(join(folder, 'a #1%.sh'), 0o755);
    await symlink('a #1%.sh', join(folder, 'link'));
    await symlink('nowhere', join(folder, 'nope'));
    await symlink('self', join(folder, 'self'));
    expect(await powers.look(at('a #1%.sh'))).toMatchObject({ kind: 'file', size: 3, mode: 0o755 });
    expect(await powers.look(at('link'))).toMatchObject({
      kind: 'file',
      size: 3,
      mode: 0o755,
      linkTarget: 'a #1%.sh',
    });
    expect(await powers.look(at('nope'))).toEqual({
      kind: 'nothing',
      size: 0,
      linkTarget: 'nowhere',
    });
    expect(await powers.look(at('self'))).toMatchObject({ kind: 'nothing' });
    expect(await powers.look(at('absent'))).toBeUndefined();
    expect(await powers.look(at('link', 'below'))).toBeUndefined();
    expect((await powers.look(at('.')))?.kind).toBe('folder');
  });

  it('sets modes through links', async () => {
    await writeFile(join(folder, 'a'), '');
    await symlink('a', join(folder, 'link'));
    await powers.modes.set(at('link'), 0o600);
    expect(await powers.modes.get(at('a'))).toBe(0o600);
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o600);
  });

  it('finds the real place of what is not there yet, through links of folders and files', async () => {
    await mkdir(join(folder, 'real'));
    await symlink('real', join(folder, 'folder'));
    await symlink('/outside/x', join(folder, 'real', 'file'));
    expect(await powers.realPath(at('folder', 'new', 'f.txt'))).toBe(at('real', 'new', 'f.txt'));
    expect(await powers.realPath(at('folder', 'file'))).toBe('file:///outside/x');
    await symlink('self', join(folder, 'self'));
    expect(await powers.realPath(at('self'))).toContain('self');
  });

  it('makes links and reads them', async () => {
    await powers.makeLink(at('deep', 'link'), '../target');
    expect(await powers.readLink(at('deep', 'link'))).toBe('../target');
    expect(await powers.readLink(at('gone'))).toBeUndefined();
  });

  it('lets a file look old for a moment, and no longer than it is left alone', async () => {
    await writeFile(join(folder, 'a'), '1');
    const { mtimeMs } = await stat(join(folder, 'a'));
    const seen: number[] = [];
    const look = async (): Promise<void> => {
      seen.push((await stat(join(folder, 'a'))).mtimeMs);
    };
    await powers.whileOld(at('a'), look);
    expect(seen).toEqual([0]);
    expect((await stat(join(folder, 'a'))).mtimeMs).toBeCloseTo(mtimeMs, 0);
    await expect(
      powers.whileOld(at('a'), () => Promise.reject(new Error('refused'))),
    ).rejects.toThrow('refused');
    expect((await stat(join(folder, 'a'))).mtimeMs).toBeCloseTo(mtimeMs, 0);
    await powers.whileOld(at('a'), () => writeFile(join(folder, 'a'), '2'));
    expect((await stat(join(folder, 'a'))).mtimeMs).toBeGreaterThanOrEqual(mtimeMs);
    await powers.whileOld(at('new'), () => writeFile(join(folder, 'new'), '1'));
  });

  it('keeps off other schemes', async () => {
    expect(powers.handles('vscode-vfs://x/y')).toBe(false);
    expect(await powers.look('vscode-vfs://x/y')).toBeUndefined();
    expect(await powers.realPath('vscode-vfs://x/y')).toBeUndefined();
  });
});
