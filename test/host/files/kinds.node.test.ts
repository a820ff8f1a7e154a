import { chmod, lstat, mkdir, readlink, stat, symlink } from 'node:fs/promises';
import { assert } from 'chai';
import * as vscode from 'vscode';
import { FsError } from '../../../src/engine/ports';
import { bytesOf, clearPlace, eventually, makePlace, setSettings, tabCount } from './kit';
import type { Place } from './kit';

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof FsError ? error.code : String(error);
}

describe('files: deleting, renaming, links, modes, folders', () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace();
  });
  afterEach(() => clearPlace(place));

  describe('deleting', () => {
    it('closes the tab of an open file', async () => {
      await place.put('a.txt', 'a\n');
      await place.open('a.txt');
      await place.open('a.txt', true);
      const after = await place.files.remove(place.key('a.txt'));
      assert.deepEqual(after.state, { kind: 'absent' });
      assert.isUndefined(await place.bytes('a.txt'));
      assert.isTrue(await eventually(() => tabCount() === 0));
    });

    it('closes an editor with unsaved text too', async () => {
      await setSettings({ 'files.autoSave': 'off' });
      await place.put('a.txt', 'a\n');
      const editor = await place.open('a.txt');
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine'));
      const after = await place.files.remove(place.key('a.txt'));
      assert.deepEqual(after.state, { kind: 'absent' });
      assert.isFalse(after.unsaved);
      assert.isTrue(await eventually(() => tabCount() === 0));
      await setSettings({ 'files.autoSave': undefined });
    });

    it('takes a closed file, and one that is gone is no error', async () => {
      await place.put('a.txt', '');
      assert.equal((await place.files.remove(place.key('a.txt'))).state.kind, 'absent');
      assert.equal((await place.files.remove(place.key('a.txt'))).state.kind, 'absent');
    });

    it('takes a link, not what it points at', async () => {
      await place.put('real.txt', 'r\n');
      await symlink('real.txt', place.path('link'));
      await place.files.remove(place.key('link'));
      assert.deepEqual(await place.bytes('real.txt'), bytesOf('r\n'));
      assert.isUndefined(await place.bytes('link'));
    });

    it('never takes a folder for a file', async () => {
      await place.put('folder/a.txt', 'a');
      assert.equal(await codeOf(place.files.remove(place.key('folder'))), 'is a directory');
      assert.isDefined(await place.bytes('folder/a.txt'));
    });
  });

  describe('renaming', () => {
    it('carries the tab and the unsaved text', async () => {
      await setSettings({ 'files.autoSave': 'off' });
      await place.put('a.txt', 'a\n');
      const editor = await place.open('a.txt');
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine '));
      const after = await place.files.rename(place.key('a.txt'), place.key('new/b c.txt'));
      assert.deepEqual(after.bytes, bytesOf('mine a\n'));
      assert.isTrue(after.unsaved);
      assert.deepEqual(after.diskBytes, bytesOf('a\n'));
      assert.isUndefined(await place.bytes('a.txt'));
      assert.equal(tabCount(), 1);
      const active = vscode.window.activeTextEditor?.document.uri.path;
      assert.equal(active, place.uri('new/b c.txt').path);
      await setSettings({ 'files.autoSave': undefined });
    });

    it('moves a closed file, its mode too, and makes missing folders', async () => {
      await place.put('run.sh', '#!\n');
      await chmod(place.path('run.sh'), 0o755);
      const after = await place.files.rename(place.key('run.sh'), place.key('x/y/go.sh'));
      assert.propertyVal(after.state, 'mode', 0o755);
      assert.isUndefined(await place.bytes('run.sh'));
      assert.deepEqual(await place.bytes('x/y/go.sh'), bytesOf('#!\n'));
    });

    it('changes case only', async () => {
      await place.put('readme.md', 'r\n');
      await place.open('readme.md');
      await place.files.rename(place.key('readme.md'), place.key('README.md'));
      assert.deepEqual(await place.bytes('README.md'), bytesOf('r\n'));
    });

    it('refuses a name that is taken, whatever its case', async () => {
      await place.put('a.txt', 'a');
      await place.put('b.txt', 'b');
      await place.put('A.txt', 'A');
      for (const taken of ['b.txt', 'A.txt']) {
        assert.equal(
          await codeOf(place.files.rename(place.key('a.txt'), place.key(taken))),
          'exists',
        );
      }
      assert.deepEqual(await place.bytes('b.txt'), bytesOf('b'));
      assert.deepEqual(await place.bytes('A.txt'), bytesOf('A'));
    });
  });

  describe('C27: links and modes', () => {
    it('writes through a link and keeps it', async () => {
      await place.put('real/cfg.txt', 'v=1\n');
      await symlink('real/cfg.txt', place.path('cfg.txt'));
      await place.files.write(place.key('cfg.txt'), bytesOf('v=2\n'), { save: true });
      assert.equal(await readlink(place.path('cfg.txt')), 'real/cfg.txt');
      assert.deepEqual(await place.bytes('real/cfg.txt'), bytesOf('v=2\n'));
      assert.isUndefined(await place.files.refusal(place.key('cfg.txt')));
    });

    it('keeps modes, open or closed, and gives a new file the mode it is asked to', async () => {
      for (const [name, mode] of [
        ['run.sh', 0o755],
        ['secret', 0o600],
      ] as const) {
        for (const open of [false, true]) {
          await place.put(name, 'a\n');
          await chmod(place.path(name), mode);
          if (open) await place.open(name);
          const text = bytesOf(`b ${open}\n`);
          const after = await place.files.write(place.key(name), text, { save: true });
          assert.propertyVal(after.state, 'mode', mode);
          assert.equal((await stat(place.path(name))).mode & 0o777, mode);
        }
        await place.files.remove(place.key(name));
        const again = await place.files.write(place.key(name), bytesOf('a\n'), {
          save: true,
          mode,
        });
        assert.propertyVal(again.state, 'mode', mode);
      }
    });

    it('sees a link to nothing as a link, and makes it again', async () => {
      await symlink('nowhere/x', place.path('nope'));
      const before = await place.files.read(place.key('nope'));
      assert.deepEqual(before.state, { kind: 'symlink', target: 'nowhere/x' });
      await place.files.remove(place.key('nope'));
      assert.equal((await place.files.read(place.key('nope'))).state.kind, 'absent');
      await place.files.makeLink(place.key('nope'), 'nowhere/x');
      assert.isTrue((await lstat(place.path('nope'))).isSymbolicLink());
      assert.deepEqual((await place.files.read(place.key('nope'))).state, before.state);
    });

    it('names a link that leads out of the workspace, of a file, of a folder, and to nothing', async () => {
      await symlink('/tmp', place.path('folder'));
      await symlink('/etc/hostname', place.path('file'));
      await symlink('/nowhere/x', place.path('nope'));
      for (const name of ['folder/new.txt', 'file', 'nope']) {
        assert.match((await place.files.refusal(place.key(name))) ?? '', /outside the workspace/u);
      }
    });

    it('names any link where real places cannot be seen', async () => {
      const blind = await makePlace(false);
      await mkdir(blind.path('real'));
      await symlink('real', blind.path('folder'));
      assert.match((await blind.files.refusal('f0/folder/a.txt')) ?? '', /link/u);
      assert.isUndefined(await blind.files.refusal('f0/real/a.txt'));
      await clearPlace(blind);
    });
  });

  describe('folders', () => {
    it('are made, and removed when empty only', async () => {
      await place.files.makeFolder(place.key('a/b'));
      assert.equal((await place.files.read(place.key('a/b'))).state.kind, 'folder');
      assert.isFalse(await place.files.removeEmptyFolder(place.key('a')));
      assert.isTrue(await place.files.removeEmptyFolder(place.key('a/b')));
      assert.isTrue(await place.files.removeEmptyFolder(place.key('a')));
      assert.isFalse(await place.files.removeEmptyFolder(place.key('a')));
    });
  });

  describe('refusals', () => {
    it('nothing under .git is touched', async () => {
      await mkdir(place.path('sub/.git'), { recursive: true });
      for (const name of ['sub/.git/config', '.git/HEAD', '.GIT/x']) {
        assert.match((await place.files.refusal(place.key(name))) ?? '', /\.git/u);
        const write = place.files.write(place.key(name), bytesOf('x'), { save: true });
        assert.equal(await codeOf(write), 'no permission');
        assert.isUndefined(await place.bytes(name));
      }
      assert.isUndefined(await place.files.refusal(place.key('.gitignore')));
    });

    it('a file marked read-only is named, a file that is not there is none', async () => {
      await place.put('ro.txt', 'a\n');
      await chmod(place.path('ro.txt'), 0o444);
      assert.match((await place.files.refusal(place.key('ro.txt'))) ?? '', /read-only/u);
      assert.isUndefined(await place.files.refusal(place.key('new/file.txt')));
      assert.isUndefined(await place.files.refusal(place.key('ro.txt/below')));
    });

    it('a folder the session does not have is named', async () => {
      assert.match((await place.files.refusal('f9/a.txt')) ?? '', /session/u);
      assert.equal(await codeOf(place.files.read('f9/a.txt')), 'unavailable');
    });

    it('a notebook with unsaved cells is not overwritten', async () => {
      await setSettings({ 'files.autoSave': 'off' });
      const text = '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":4}\n';
      await place.put('n.ipynb', text);
      const notebook = await vscode.workspace.openNotebookDocument(place.uri('n.ipynb'));
      await vscode.window.showNotebookDocument(notebook);
      const edit = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, '1', 'python');
      edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
      await vscode.workspace.applyEdit(edit);
      assert.isTrue(notebook.isDirty);
      const now = await place.files.read(place.key('n.ipynb'));
      assert.deepEqual(now.state, { kind: 'uncovered', reason: 'unsaved notebook' });
      assert.deepEqual(now.diskBytes, bytesOf(text));
      assert.match((await place.files.refusal(place.key('n.ipynb'))) ?? '', /unsaved/u);
      const write = place.files.write(place.key('n.ipynb'), bytesOf('{}'), { save: true });
      assert.equal(await codeOf(write), 'no permission');
      await notebook.save();
      assert.isUndefined(await place.files.refusal(place.key('n.ipynb')));
      await setSettings({ 'files.autoSave': undefined });
    });
  });

  it('calls for one file take turns, and the last one wins', async () => {
    await place.put('turns.txt', '0\n');
    await place.open('turns.txt');
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        place.files.write(place.key('turns.txt'), bytesOf(`${index}\n`), { save: true }),
      ),
    );
    for (const [index, result] of results.entries()) {
      assert.deepEqual(result.bytes, bytesOf(`${index}\n`));
    }
    assert.deepEqual(await place.bytes('turns.txt'), bytesOf('7\n'));
  });
});
