import { assert } from 'chai';
import * as vscode from 'vscode';
import { activate, api, codeOf, Folder } from '../kit';
import { closeEditors, openInEditor, until } from './kit';

interface Place {
  readonly uri: string;
  readonly line: number;
}

describe('the changes of the last reply, reviewed in the editor', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('review');
    sessionId = await api.newSession();
  });
  afterEach(async () => {
    await closeEditors();
    await folder.remove();
  });

  async function titles(document: vscode.TextDocument): Promise<string[]> {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    return lenses
      .map(({ range, command }) => `${range.start.line} ${command?.title ?? ''}`)
      .filter((title) => !/[+−]|Retrace/u.test(title))
      .sort();
  }

  /** Waits until the marks in a file are just these. */
  async function marked(document: vscode.TextDocument, ...wanted: string[]): Promise<void> {
    let seen: string[] = [];
    await until(async () => {
      seen = await titles(document);
      return JSON.stringify(seen) === JSON.stringify(wanted);
    }).catch(() => assert.deepEqual(seen, wanted));
  }

  it('are marked, follow typing, and are kept or undone one by one; what was undone comes back', async () => {
    await folder.put('a.txt', '1\n2\n3\n4\n5\n');
    await folder.put('b.txt', 'b\n');
    const { document } = await openInEditor(folder, 'a.txt');
    const uri = document.uri.toString();
    const a = folder.path('a.txt');
    await api.send(
      sessionId,
      `replace 2 with two in ${a}\nreplace 4 with four in ${a}\nappend b1 to ${folder.path('b.txt')}`,
    );
    const file = ['0 Keep File', '0 Undo File'];
    await marked(document, ...file, '1 Keep', '1 Undo', '3 Keep', '3 Undo');

    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine\n'));
    await marked(document, ...file, '2 Keep', '2 Undo', '4 Keep', '4 Undo');
    const next = await api.call<Place>('nextChange');
    assert.deepEqual([next.line, editor.selection.active.line], [2, 2]);
    const undone = await api.call<{ files: { outcome: string }[] }>('undoChange', {});
    assert.deepEqual(
      undone.files.map(({ outcome }) => outcome),
      ['merged'],
    );
    assert.equal(document.getText(), 'mine\n1\n2\n3\nfour\n5\n');
    await marked(document, ...file, '4 Keep', '4 Undo');

    await editor.edit((edit) => edit.insert(new vscode.Position(4, 4), '!'));
    await marked(document, ...file, '4 Edited since', '4 Keep');
    assert.equal(await codeOf(api.call('undoChange', { uri, change: 1 })), 'conflict');
    await api.call('keepChange', { uri, change: 1 });
    await marked(document);
    assert.equal(document.getText(), 'mine\n1\n2\n3\nfour!\n5\n');

    const other = await api.call<Place>('nextChange');
    assert.deepEqual(other, { uri: folder.uri('b.txt').toString(), line: 1 });
    await api.call('undoAllChanges');
    assert.equal(await folder.text('b.txt'), 'b\n');
    assert.equal(await codeOf(api.call('nextChange')), 'nothing_to_do');
    await api.move('undoMove', { sessionId });
    assert.equal(await folder.text('b.txt'), 'b\nb1\n');
    await api.move('undoMove', { sessionId });
    assert.include(document.getText(), 'two\n');
    assert.include(document.getText(), 'mine\n');
  });

  it('a file made by the reply goes whole, and the setting switches the marks off', async () => {
    await api.send(sessionId, `create ${folder.path('new.txt')} with hello`);
    const { document } = await openInEditor(folder, 'new.txt');
    await marked(document, '0 Keep', '0 Keep File', '0 Undo', '0 Undo File');
    const settings = vscode.workspace.getConfiguration('retrace');
    await settings.update('review.inline', false, vscode.ConfigurationTarget.Global);
    await marked(document);
    await settings.update('review.inline', undefined, vscode.ConfigurationTarget.Global);
    await marked(document, '0 Keep', '0 Keep File', '0 Undo', '0 Undo File');
    await api.call('undoChange', { uri: document.uri.toString(), change: 0 });
    assert.isUndefined(await folder.text('new.txt'));
  });
});
