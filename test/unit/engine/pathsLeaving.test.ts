import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { URI } from 'vscode-uri';
import { keyPath, keyUri, type SessionFolder } from '../../../src/core/fileKey';
import type { AgentFile } from '../../../src/engine/ports';
import { memoryEngine, newMemory, type Script } from '../../kit/memoryEngine';
import { realEngine } from '../../kit/realEngine';

type Resolve = (path: string) => Promise<AgentFile>;

/** Runs something with the paths as a tool of the agent sees them; the one folder is `file:///w`. */
async function withResolver(
  task: (resolve: Resolve, folders: readonly SessionFolder[]) => unknown,
) {
  const failed: unknown[] = [];
  const script: Script = async (turn) => {
    try {
      await task((path) => turn.workspace.resolve(path), session.info.folders);
    } catch (error) {
      failed.push(error);
    }
    return undefined;
  };
  const { retrace, sessions } = await memoryEngine(newMemory(), { go: script });
  const session = await sessions.create();
  await retrace.send(session, { text: 'go', attachments: [] });
  for (const error of failed) throw error;
}

describe('a path the agent names', () => {
  test.each([
    ['../secret', 'refused'],
    ['a/../../secret', 'refused'],
    ['..\\secret', 'refused'],
    ['a\\..\\..\\secret', 'refused'],
    ['.', 'refused'],
    ['a\0b', 'refused'],
    ['\ud800', 'refused'],
    ['a/../b', 'f0/b'],
    // Not decoded: a name with a percent sign is a name.
    ['%2e%2e/secret', 'f0/%2e%2e/secret'],
    ['..%2fsecret', 'f0/..%2fsecret'],
    ['%2e%2e%5csecret', 'f0/%2e%2e%5csecret'],
    // One spelling is not taken for another one: what the disk takes for the same is for the disk to say.
    ['e\u0301.txt', 'f0/e\u0301.txt'],
    ['\u00e9.txt', 'f0/\u00e9.txt'],
    ['A.TXT', 'f0/A.TXT'],
    ['file:/etc/passwd', 'f0/file:/etc/passwd'],
    ['/w/a', 'f0/a'],
    ['/w/../etc/passwd', 'file:///etc/passwd'],
    ['//etc/passwd', 'file:///etc/passwd'],
    ['/W/a', 'file:///W/a'],
    ['/w2/a', 'file:///w2/a'],
    ['file:///w/a', 'f0/a'],
    ['file:///w/../etc/passwd', 'file:///etc/passwd'],
    ['file:///w/%2e%2e/etc/passwd', 'file:///etc/passwd'],
    ['file:///w/..%2fetc%2fpasswd', 'file:///etc/passwd'],
    ['file:///w%2f..%2fetc/passwd', 'file:///etc/passwd'],
    ['file:///x/../w/a', 'f0/a'],
    ['file:///w/../w/a', 'f0/a'],
    ['file:////w/a', 'refused'],
    ['file://evil/w/a', 'file://evil/w/a'],
    ['vscode-userdata:///User/settings.json', 'vscode-userdata:/User/settings.json'],
  ])('%j is %s', async (path, expected) => {
    await withResolver(async (resolve) => {
      const key = await resolve(path).then(({ file }) => file, refused);
      expect(key).toBe(expected);
    });
  });

  test('is inside its folder, or shown whole and without a way back in, whatever it is made of', async () => {
    const piece = fc.constantFrom(
      ...['..', '.', '', 'a', 'w', '%2e%2e', '%2f', '..%2f', '%5c', '\\', 'é', 'e\u0301', 'A', ' '],
      ...['file:', 'file:/', 'C:', '~', '\u2025', '\uff0e\uff0e', '#', '?', ':', '%', '%00', '%ff'],
    );
    const beginning = fc.constantFrom('', '/', '/w/', 'file:///', 'file:///w/', 'x://h/', '//');
    const path = fc.tuple(beginning, fc.array(piece, { maxLength: 7 }), fc.constantFrom('/', '\\'));
    await withResolver(async (resolve, folders) => {
      await fc.assert(
        fc.asyncProperty(path, async ([begin, pieces, between]) => {
          const found = await resolve(begin + pieces.join(between)).catch(refused);
          if (typeof found === 'string') return;
          const {
            path: real,
            scheme,
            authority,
          } = URI.parse(keyUri(folders, found.file) ?? '', true);
          expect(real.split('/')).not.toContain('..');
          const inside = scheme === 'file' && authority === '' && real.startsWith('/w/');
          if (keyPath(found.file) !== undefined) expect(inside).toBe(true);
          else if (inside) expect(real).toBe('/w/');
          else if (scheme !== 'file' || authority !== '') expect(found.label).toContain(scheme);
        }),
        { numRuns: 1_000 },
      );
    });
  });
});

const refused = (error: unknown): string => {
  expect(error).toMatchObject({ name: 'ToolError' });
  return 'refused';
};

describe.skipIf(process.platform === 'win32')('a link that leads out of the workspace', () => {
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'retrace-leaving-'));
    for (const name of ['work', 'out']) await mkdir(join(place, name));
    await writeFile(join(place, 'out', 'secret'), 'secret\n');
    await symlink(join(place, 'out'), join(place, 'work', 'folder'));
    await symlink(join(place, 'out', 'secret'), join(place, 'work', 'file'));
    await symlink(join(place, 'out', 'new'), join(place, 'work', 'nowhere'));
  });
  afterEach(() => rm(place, { recursive: true, force: true, maxRetries: 5 }));

  test.each(['folder/secret', 'folder/new', 'file', 'nowhere', 'folder/../folder/secret'])(
    '%s is not written through',
    async (path) => {
      const said: string[] = [];
      const { retrace, sessions } = await realEngine(place, {
        go: async ({ workspace }) => {
          const file = await workspace.resolve(path);
          await workspace.read(file).catch(() => undefined);
          await workspace
            .write(file, new TextEncoder().encode('mine\n'))
            .catch((error: unknown) => said.push(String(error)));
          return undefined;
        },
      });
      await retrace.send(await sessions.create(), { text: 'go', attachments: [] });
      expect(said.join()).toMatch(/outside the workspace/u);
      expect(await readFile(join(place, 'out', 'secret'), 'utf8')).toBe('secret\n');
      await expect(readFile(join(place, 'out', 'new'))).rejects.toThrow();
    },
  );
});
