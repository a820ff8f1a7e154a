import { assert } from 'chai';
import * as vscode from 'vscode';
import { bytesOf, clearPlace, eventually, makePlace, setSettings, tabCount } from './kit';
import type { Place } from './kit';

describe('files: undo and the editor', () => {
  let place: Place;
  beforeEach(async () => {
    place = await makePlace();
  });
  afterEach(() => clearPlace(place));

  const write = (name: string, text: string): Promise<unknown> =>
    place.files.write(place.key(name), bytesOf(text), { save: true });

  it('C15: one Ctrl+Z gives exactly the former text, Ctrl+Y the new one, in this file only', async () => {
    await place.put('m.ts', 'l1\nf1\nl2\nl3\n');
    await place.put('n.ts', 'n\n');
    const n = await place.open('n.ts');
    const m = await place.open('m.ts');
    await write('m.ts', 'l1\nf2\nl2\nl3!\n');
    await write('n.ts', 'n\nn1\n');
    assert.equal(m.document.getText(), 'l1\nf2\nl2\nl3!\n');
    assert.isFalse(m.document.isDirty);
    await vscode.commands.executeCommand('undo');
    assert.equal(m.document.getText(), 'l1\nf1\nl2\nl3\n');
    assert.equal(n.document.getText(), 'n\nn1\n');
    await vscode.commands.executeCommand('redo');
    assert.equal(m.document.getText(), 'l1\nf2\nl2\nl3!\n');
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    assert.equal(m.document.getText(), 'l1\nf1\nl2\nl3\n');
  });

  it('C15: a change of line ends is a step of its own, and no step mixes texts', async () => {
    await place.put('eol.txt', 'a\r\nb\r\n');
    const { document } = await place.open('eol.txt');
    await write('eol.txt', 'a\nB\nc\n');
    assert.deepEqual(await place.bytes('eol.txt'), bytesOf('a\nB\nc\n'));
    const seen: string[] = [];
    for (const command of ['undo', 'undo', 'redo', 'redo']) {
      await vscode.commands.executeCommand(command);
      seen.push(document.getText());
    }
    assert.deepEqual(seen, ['a\nb\n', 'a\r\nb\r\n', 'a\nb\n', 'a\nB\nc\n']);
  });

  it('C15: undo and redo are right also where the bytes could not come from an editor', async () => {
    for (const [name, from, to, formerShown, shown] of [
      ['mixed.txt', 'a\nb\n', 'A\r\nB\r\nc\n', 'a\r\nb\r\n', 'A\r\nB\r\nc\r\n'],
      ['back.txt', 'A\r\nB\r\nc\n', 'a\nb\n', 'A\nB\nc\n', 'a\nb\n'],
      ['bom.txt', 'a\n', '\uFEFFb\n', 'a\n', 'b\n'],
    ] as const) {
      await place.put(name, from);
      const { document } = await place.open(name);
      await write(name, to);
      assert.deepEqual(await place.bytes(name), bytesOf(to), name);
      assert.equal(document.getText(), shown, name);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), formerShown, name);
      await vscode.commands.executeCommand('redo');
      assert.equal(document.getText(), shown, name);
    }
  });

  it('C15: with save participants on, one Ctrl+Z still gives the former text', async () => {
    await setSettings({ 'files.insertFinalNewline': true, 'files.trimTrailingWhitespace': true });
    try {
      await place.put('p.txt', 'a  \nb');
      const { document } = await place.open('p.txt');
      await write('p.txt', 'A  \nb');
      assert.equal(document.getText(), 'A  \nb');
      assert.isFalse(document.isDirty);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'a  \nb');
    } finally {
      await setSettings({
        'files.insertFinalNewline': undefined,
        'files.trimTrailingWhitespace': undefined,
      });
    }
  });

  it('another extension’s save participant does not change what was written', async () => {
    const listener = vscode.workspace.onWillSaveTextDocument((event) => {
      if (!event.document.fileName.endsWith('third.txt')) return;
      event.waitUntil(
        Promise.resolve([vscode.TextEdit.insert(new vscode.Position(0, 0), '// header\n')]),
      );
    });
    try {
      await place.put('third.txt', 'a\n');
      const { document } = await place.open('third.txt');
      await write('third.txt', 'b\n');
      assert.deepEqual(await place.bytes('third.txt'), bytesOf('b\n'));
      assert.equal(document.getText(), 'b\n');
      assert.isFalse(document.isDirty);
    } finally {
      listener.dispose();
    }
  });

  it('C16: no undo takes a file away', async () => {
    await place.put('existing.json', 'old\n');
    await place.put('open.ts', 'o\n');
    await place.put('gone.txt', 'g\n');
    await place.open('open.ts');
    await write('existing.json', 'new\n');
    await write('open.ts', 'O\n');
    await place.files.remove(place.key('gone.txt'));
    for (const command of ['undo', 'redo', 'undo', 'undo']) {
      await vscode.commands.executeCommand(command);
      assert.deepEqual(await place.bytes('existing.json'), bytesOf('new\n'));
      assert.isDefined(await place.bytes('open.ts'));
    }
    await write('existing.json', 'old\n');
    await write('open.ts', 'o\n');
    await write('gone.txt', 'g\n');
    assert.deepEqual(await place.bytes('existing.json'), bytesOf('old\n'));
    assert.deepEqual(await place.bytes('open.ts'), bytesOf('o\n'));
    assert.deepEqual(await place.bytes('gone.txt'), bytesOf('g\n'));
  });

  it('C36: active editor, selection, scroll and number of tabs stay', async () => {
    const lines = (mark: string): string =>
      Array.from(
        { length: 300 },
        (_, index) => `${index % 50 === 7 ? mark : 'line'} ${index}\n`,
      ).join('');
    await place.put('here.txt', lines('old'));
    await place.put('behind.txt', 'a\n');
    await place.put('closed.txt', 'a\n');
    await place.open('behind.txt');
    const editor = await place.open('here.txt');
    editor.selection = new vscode.Selection(150, 2, 160, 4);
    editor.revealRange(new vscode.Range(150, 0, 160, 0), vscode.TextEditorRevealType.AtTop);
    await eventually(() => (editor.visibleRanges[0]?.start.line ?? 0) > 100);
    const visible = editor.visibleRanges[0]?.start.line;
    const tabs = tabCount();
    await write('here.txt', lines('new'));
    await write('behind.txt', 'b\n');
    await write('closed.txt', 'b\n');
    await write('made.txt', 'b\n');
    await eventually(() => false, 300);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, place.uri('here.txt').path);
    assert.isTrue(editor.selection.isEqual(new vscode.Selection(150, 2, 160, 4)));
    assert.equal(editor.visibleRanges[0]?.start.line, visible);
    assert.equal(tabCount(), tabs);
  });

  it('keeps what is typed into another file meanwhile', async () => {
    await place.put('typing.txt', '');
    await place.put('agent.txt', 'a\n');
    await place.open('agent.txt');
    const typing = await place.open('typing.txt');
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(2);
    const typist = (async () => {
      for (const text of letters) await vscode.commands.executeCommand('type', { text });
    })();
    for (let turn = 0; turn < 5; turn++) await write('agent.txt', `a${turn}\n`);
    await typist;
    assert.equal(typing.document.getText(), letters);
    assert.deepEqual(await place.bytes('agent.txt'), bytesOf('a4\n'));
  });
});
