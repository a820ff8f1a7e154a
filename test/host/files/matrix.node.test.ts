// Every kind of content in every state of its editor: what was written is on disk, byte for byte, and back again.
import { assert } from 'chai';
import * as vscode from 'vscode';
import { bytesOf, clearPlace, eventually, makePlace, setSettings, tabCount, utf16 } from './kit';
import type { Place } from './kit';

const contents: Readonly<Record<string, Uint8Array>> = {
  LF: bytesOf('one\ntwo\nthree\n'),
  CRLF: bytesOf('one\r\ntwo\r\nthree\r\n'),
  'mixed line ends': bytesOf('a\r\nb\nc\r\nd'),
  'lone CR': bytesOf('10%\r20%\rdone\n'),
  'UTF-8 with BOM': bytesOf([0xef, 0xbb, 0xbf], 'Write é\r\nx=1\r\n'),
  'UTF-16 LE with BOM': utf16('one é\ntwo 😀\n'),
  'invalid UTF-8': bytesOf('a', [0xff, 0xc3], '\nb\n'),
  'a NUL': bytesOf('a', [0], 'b\nc\n'),
  'no final newline': bytesOf('a\nb'),
  'blanks at the end': bytesOf('a  \nb\t\n\n\n'),
  empty: bytesOf(),
};
const other = bytesOf('one\nTWO\nnew \nthree');
const states = ['closed', 'open', 'open twice'] as const;
const participants: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  off: {},
  on: {
    'files.insertFinalNewline': true,
    'files.trimTrailingWhitespace': true,
    'files.trimFinalNewlines': true,
  },
};
const none = {
  'files.insertFinalNewline': undefined,
  'files.trimTrailingWhitespace': undefined,
  'files.trimFinalNewlines': undefined,
};

describe('files: bytes come out as they went in (C20, C21, C22, C23)', () => {
  let place: Place;
  before(async () => {
    place = await makePlace();
  });
  after(async () => {
    await setSettings(none);
    await clearPlace(place);
  });

  for (const [setting, values] of Object.entries(participants)) {
    describe(`save participants ${setting}`, () => {
      before(() => setSettings(values));

      for (const [name, bytes] of Object.entries(contents)) {
        for (const state of states) {
          it(`${name}, ${state}`, async () => {
            const file = `${setting} ${name} ${state} #1%.txt`;
            // What holds a NUL cannot be opened as text, but an open text can come to hold one.
            await place.put(file, name === 'a NUL' ? other : bytes);
            if (state !== 'closed') await place.open(file);
            if (state === 'open twice') await place.open(file, true);
            const tabs = tabCount();

            for (const wanted of [other, bytes, other, bytes]) {
              const after = await place.files.write(place.key(file), wanted, { save: true });
              assert.deepEqual(await place.bytes(file), wanted);
              assert.deepEqual(after.bytes, wanted);
              assert.isFalse(after.unsaved);
            }
            assert.equal(tabCount(), tabs, 'no tab more, none less');
            const document = vscode.workspace.textDocuments.find(
              (one) => one.uri.toString() === place.uri(file).toString(),
            );
            assert.isNotTrue(document?.isDirty);
            await vscode.commands.executeCommand('workbench.action.closeAllEditors');
          });
        }
      }
    });
  }

  it('what auto-save does later changes nothing any more', async () => {
    await setSettings({
      ...participants['on'],
      'files.autoSave': 'afterDelay',
      'files.autoSaveDelay': 50,
    });
    const bytes = bytesOf('a  \nb');
    await place.put('later.txt', other);
    await place.open('later.txt');
    await place.files.write(place.key('later.txt'), bytes, { save: true });
    await eventually(() => false, 400);
    assert.deepEqual(await place.bytes('later.txt'), bytes);
    await setSettings({ ...none, 'files.autoSave': undefined, 'files.autoSaveDelay': undefined });
  });
});

describe('files: unsaved editors (C35)', () => {
  let place: Place;
  before(async () => {
    place = await makePlace();
    await setSettings({ 'files.autoSave': 'off' });
  });
  after(async () => {
    await setSettings({ 'files.autoSave': undefined });
    await clearPlace(place);
  });

  async function typed(file: string, content: Uint8Array): Promise<vscode.TextEditor> {
    await place.put(file, content);
    const editor = await place.open(file);
    const end = editor.document.positionAt(editor.document.getText().length);
    await editor.edit((edit) => edit.insert(end, 'mine'));
    assert.isTrue(editor.document.isDirty);
    return editor;
  }

  for (const [name, content, wanted] of [
    ['LF', bytesOf('1\n2\n'), bytesOf('one\n2\nmine')],
    ['CRLF', bytesOf('1\r\n2\r\n'), bytesOf('one\r\n2\r\nmine')],
    ['BOM', bytesOf([0xef, 0xbb, 0xbf], '1\n2\n'), bytesOf([0xef, 0xbb, 0xbf], 'one\n2\nmine')],
    ['UTF-16', utf16('1\n2\n'), utf16('one\n2\nmine')],
  ] as const) {
    it(`${name}: the text counts as content, takes the edit and stays unsaved`, async () => {
      const file = `dirty ${name}.txt`;
      const editor = await typed(file, content);
      const seen = await place.files.read(place.key(file));
      assert.isTrue(seen.unsaved);
      assert.deepEqual(seen.diskBytes, content);
      assert.deepEqual(seen.bytes?.slice(0, content.length), content);

      const after = await place.files.write(place.key(file), wanted, { save: false });
      assert.isTrue(after.unsaved);
      assert.deepEqual(after.bytes, wanted);
      assert.deepEqual(await place.bytes(file), content, 'the disk is as it was');
      assert.isTrue(editor.document.isDirty);
      await vscode.commands.executeCommand('undo');
      const back = await place.files.read(place.key(file));
      assert.deepEqual(back.bytes, seen.bytes, 'one undo takes off the agent’s change only');
    });

    it(`${name}: is saved when asked to`, async () => {
      const file = `saved ${name}.txt`;
      const editor = await typed(file, content);
      const after = await place.files.write(place.key(file), wanted, { save: true });
      assert.isFalse(after.unsaved);
      assert.deepEqual(await place.bytes(file), wanted);
      assert.isFalse(editor.document.isDirty);
    });
  }

  it('bytes no editor can hold are refused for an unsaved one, and exact where it may be saved', async () => {
    const mixed = bytesOf('a\r\nb\nc');
    const editor = await typed('hold.txt', bytesOf('a\nb\n'));
    const text = editor.document.getText();
    let refused: unknown;
    await place.files
      .write(place.key('hold.txt'), mixed, { save: false })
      .catch((error: unknown) => (refused = error));
    assert.propertyVal(refused, 'code', 'unavailable');
    assert.equal(editor.document.getText(), text);
    assert.deepEqual(await place.bytes('hold.txt'), bytesOf('a\nb\n'));
    await place.files.write(place.key('hold.txt'), mixed, { save: true });
    assert.deepEqual(await place.bytes('hold.txt'), mixed);
    assert.isFalse(editor.document.isDirty);
  });
});
