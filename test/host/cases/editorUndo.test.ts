import { assert } from 'chai';
import * as vscode from 'vscode';
import { activate, api, Folder } from '../kit';
import { closeEditors, openInEditor, texts } from './kit';

describe('the editor’s own undo beside rewind', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('undo');
    sessionId = await api.newSession();
  });
  afterEach(async () => {
    await closeEditors();
    await folder.remove();
  });

  /** Presses a key until the text stays, and returns the texts seen on the way. */
  async function press(command: 'undo' | 'redo', document: vscode.TextDocument): Promise<string[]> {
    const seen: string[] = [];
    for (let presses = 0; presses < 10; presses++) {
      await vscode.commands.executeCommand(command);
      const text = document.getText();
      if (text === seen.at(-1)) break;
      seen.push(text);
    }
    return seen;
  }

  async function twoTurns(): Promise<string> {
    await folder.put('m.ts', 'l1\nl2\nl3\n');
    await folder.put('n.ts', 'n\n');
    await openInEditor(folder, 'n.ts');
    await openInEditor(folder, 'm.ts');
    await api.send(
      sessionId,
      `replace l1 with l1\\nf1 in ${folder.path('m.ts')}\nappend n1 to ${folder.path('n.ts')}`,
    );
    const second = await api.send(sessionId, `replace f1 with f2 in ${folder.path('m.ts')}`);
    assert.deepEqual(await texts(folder, 'm.ts', 'n.ts'), ['l1\nf2\nl2\nl3\n', 'n\nn1\n']);
    return second.userMessageId;
  }

  it('C15 Ctrl+Z after a rewind shows only texts the file really had, in this file only', async () => {
    const messageId = await twoTurns();
    await api.move('rewind', { sessionId, messageId });
    assert.deepEqual(await texts(folder, 'm.ts', 'n.ts'), ['l1\nf1\nl2\nl3\n', 'n\nn1\n']);
    const { document } = await openInEditor(folder, 'm.ts');
    assert.equal(document.getText(), 'l1\nf1\nl2\nl3\n');
    assert.isFalse(document.isDirty);

    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'l1\nf2\nl2\nl3\n');
    await vscode.commands.executeCommand('redo');
    assert.equal(document.getText(), 'l1\nf1\nl2\nl3\n');
    const had = ['l1\nl2\nl3\n', 'l1\nf1\nl2\nl3\n', 'l1\nf2\nl2\nl3\n'];
    const seen = await press('undo', document);
    for (const text of seen) assert.include(had, text);
    assert.equal(seen.at(-1), 'l1\nl2\nl3\n');
    for (const text of await press('redo', document)) assert.include(had, text);
    assert.equal(document.getText(), 'l1\nf1\nl2\nl3\n');
    assert.equal(await folder.text('n.ts'), 'n\nn1\n');
  });

  it('C15 a tab closed and opened again after the rewind never undoes by half', async () => {
    const messageId = await twoTurns();
    await api.move('rewind', { sessionId, messageId });
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    const { document } = await openInEditor(folder, 'm.ts');
    await vscode.commands.executeCommand('undo');
    assert.include(['l1\nf1\nl2\nl3\n', 'l1\nf2\nl2\nl3\n'], document.getText());
  });

  it('C16 undoing the edit of an open file takes no other file away, and rewind brings all back', async () => {
    await folder.put('existing.json', 'old\n');
    await folder.put('open.ts', 'o\n');
    await folder.put('gone.txt', 'g\n');
    await openInEditor(folder, 'open.ts');
    const turn = await api.send(
      sessionId,
      [
        `write ${folder.path('existing.json')} with new\\n`,
        `replace o with O in ${folder.path('open.ts')}`,
        `delete ${folder.path('gone.txt')}`,
      ].join('\n'),
    );
    assert.equal(turn.status, 'done');
    const { document } = await openInEditor(folder, 'open.ts');
    for (const command of ['undo', 'redo'] as const) {
      await vscode.commands.executeCommand(command);
      assert.include(['old\n', 'new\n'], await folder.text('existing.json'));
    }
    assert.equal(document.getText(), 'O\n');
    await document.save();
    await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(await texts(folder, 'existing.json', 'open.ts', 'gone.txt'), [
      'old\n',
      'o\n',
      'g\n',
    ]);
  });
});
