// What every host must do alike: these tests run in Node and in a web worker.
import { assert } from 'chai';
import * as vscode from 'vscode';
import { FsError } from '../../../src/engine/ports';
import { workspaceFinder } from '../../../src/host/files/finder';
import { vscodeFileSystem as files } from '../../../src/host/files/vscodeFileSystem';
import { FilesHub, SessionFiles } from '../../../src/host/files/workspaceFiles';
import { hostRuntime } from '../../../src/host/runtime';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const plain = (bytes: Uint8Array): number[] => [...bytes];

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'nothing thrown';
  } catch (error) {
    return error instanceof FsError ? error.code : String(error);
  }
}

describe('files everywhere', () => {
  let root: vscode.Uri;
  let count = 0;
  const at = (name: string): string => vscode.Uri.joinPath(root, name).toString();

  beforeEach(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    count += 1;
    root = vscode.Uri.joinPath(folder.uri, `everywhere-${count}`);
    await files.makeFolder(root.toString());
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await files.delete(root.toString(), true);
  });

  it('writes, reads, lists, moves and deletes', async () => {
    await files.write(at('a/b #1%.txt'), bytesOf('x'));
    assert.deepEqual(plain(await files.read(at('a/b #1%.txt'))), plain(bytesOf('x')));
    const stat = await files.stat(at('a/b #1%.txt'));
    assert.include(stat, { kind: 'file', link: false, size: 1, readonly: false });
    assert.closeTo(stat.mtime, Date.now(), 60_000);
    await files.rename(at('a/b #1%.txt'), at('c/文.txt'), false);
    assert.deepEqual(await files.list(at('c')), [['文.txt', 'file']]);
    assert.deepEqual(await files.list(at('a')), []);
    assert.equal((await files.stat(at('c'))).kind, 'folder');
    await files.delete(at('c/文.txt'), false);
    assert.deepEqual(await files.list(at('c')), []);
  });

  it('tells failures by what a caller can do about them', async () => {
    await files.write(at('a'), bytesOf('a'));
    await files.write(at('b'), bytesOf('b'));
    await files.makeFolder(at('folder'));
    await files.write(at('folder/x'), bytesOf('x'));
    assert.equal(await codeOf(files.read(at('gone'))), 'not found');
    assert.equal(await codeOf(files.stat(at('gone/deeper'))), 'not found');
    assert.equal(await codeOf(files.delete(at('gone'), false)), 'not found');
    assert.equal(await codeOf(files.list(at('gone'))), 'not found');
    assert.equal(await codeOf(files.rename(at('a'), at('b'), false)), 'exists');
    assert.equal(await codeOf(files.read(at('folder'))), 'is a directory');
    assert.notEqual(await codeOf(files.delete(at('folder'), false)), 'nothing thrown');
    assert.equal(await codeOf(files.read('no-such-scheme:/a')), 'unavailable');
    await files.rename(at('a'), at('b'), true);
    assert.deepEqual(plain(await files.read(at('b'))), plain(bytesOf('a')));
  });

  it('the runtime hashes, packs and unpacks', async () => {
    const bytes = bytesOf('abc'.repeat(1_000));
    assert.match(await hostRuntime.sha256(bytesOf('abc')), /^ba7816bf[0-9a-f]{56}$/u);
    const packed = await hostRuntime.deflate(bytes);
    assert.isBelow(packed.length, 200);
    assert.deepEqual(plain(await hostRuntime.inflate(packed)), plain(bytes));
    const cut = await hostRuntime.inflate(packed.subarray(0, 20)).catch((error: unknown) => error);
    assert.instanceOf(cut, Error);
    assert.notEqual(hostRuntime.newId(), hostRuntime.newId());
  });

  it('a session’s files go through editors and back, byte for byte', async () => {
    const folder = { id: 'f0', uri: root.toString(), name: 'r' };
    const session = new SessionFiles(new FilesHub({ files, runtime: hostRuntime }), () => [folder]);
    for (const open of [false, true]) {
      const key = `f0/a-${open}.txt`;
      const uri = vscode.Uri.joinPath(root, `a-${open}.txt`);
      for (const text of ['one\ntwo\n', 'one\r\nTWO\nthree', '', '\uFEFFbom\r\n']) {
        const after = await session.write(key, bytesOf(text), { save: true });
        assert.deepEqual(plain(await files.read(uri.toString())), plain(bytesOf(text)));
        assert.isFalse(after.unsaved);
        if (open) await vscode.window.showTextDocument(uri, { preview: false });
      }
      assert.isUndefined(await session.refusal(key));
      assert.deepEqual((await session.remove(key)).state, { kind: 'absent' });
    }
    assert.deepEqual((await session.read('f0/gone.txt')).state, { kind: 'absent' });
    assert.match((await session.refusal('f0/.git/config')) ?? '', /\.git/u);
  });

  describe('finding', () => {
    const never = new AbortController().signal;
    const finder = () =>
      workspaceFinder(
        { info: { folders: [{ id: 'f0', uri: root.toString(), name: 'r' }] } },
        async (uri) => uri.endsWith('/leaves.txt'),
      );

    beforeEach(async () => {
      await files.write(at('.gitignore'), bytesOf('*.log\n/out/\n'));
      await files.write(at('src/.ignore'), bytesOf('secret.txt\n'));
      await files.write(at('a.txt'), bytesOf('one\nneedle (1)\n'));
      await files.write(at('src/b.txt'), bytesOf('needle\r\n\r\nNEEDLE'));
      await files.write(at('src/secret.txt'), bytesOf('needle'));
      await files.write(at('c.log'), bytesOf('needle'));
      await files.write(at('out/d.txt'), bytesOf('needle'));
      await files.write(at('node_modules/e.txt'), bytesOf('needle'));
      await files.write(at('binary.bin'), new Uint8Array([110, 0, ...bytesOf('needle')]));
    });

    it('lists a folder, sorted, folders with a slash', async () => {
      const { entries, truncated } = await finder().list('f0/src', never);
      assert.deepEqual(entries, ['.ignore', 'b.txt', 'secret.txt']);
      assert.isFalse(truncated);
      const [folder] = [{ id: 'f0', uri: root.toString(), name: 'r' }];
      assert.includeMembers([...(await finder().list(folder, never)).entries], ['a.txt', 'src/']);
      const gone: unknown = await finder()
        .list('f0/gone', never)
        .catch((error: unknown) => error);
      assert.match(String(gone), /no such/u);
    });

    it('finds lines, and keeps to ignore files and exclusions', async () => {
      const found = await finder().search({ pattern: 'needle', isRegExp: false }, never);
      assert.deepEqual(found, {
        hits: [
          { label: 'a.txt', line: 2, text: 'needle (1)' },
          { label: 'src/b.txt', line: 1, text: 'needle' },
        ],
        truncated: false,
      });
      const loud = await finder().search({ pattern: '^NEED', isRegExp: true }, never);
      assert.deepEqual(loud.hits, [{ label: 'src/b.txt', line: 3, text: 'NEEDLE' }]);
    });

    it('keeps to a folder, under the ignore files above it, or to one file', async () => {
      await files.write(at('src/x.log'), bytesOf('needle'));
      const inFolder = await finder().search(
        { pattern: 'needle', isRegExp: false, within: 'f0/src' },
        never,
      );
      assert.deepEqual(
        inFolder.hits.map((hit) => hit.label),
        ['src/b.txt'],
      );
      const inFile = await finder().search(
        { pattern: 'needle', isRegExp: false, within: 'f0/c.log' },
        never,
      );
      assert.deepEqual(
        inFile.hits.map((hit) => hit.label),
        ['c.log'],
      );
    });

    it('sees unsaved text', async () => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.parse(at('a.txt'), true));
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved needle '));
      const { hits } = await finder().search({ pattern: 'unsaved', isRegExp: false }, never);
      assert.deepEqual(hits, [{ label: 'a.txt', line: 1, text: 'unsaved needle one' }]);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    });

    it('stops when it is told to', async () => {
      const stopped = AbortSignal.abort();
      const error: unknown = await finder()
        .search({ pattern: 'needle', isRegExp: false }, stopped)
        .catch((reason: unknown) => reason);
      assert.propertyVal(error, 'name', 'AbortError');
    });
  });
});
