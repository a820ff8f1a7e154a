import { assert } from 'chai';
import * as vscode from 'vscode';
import type { SessionRecord } from '../../src/core/session';
import { SessionState } from '../../src/core/session';
import { RetraceError } from '../../src/engine/errors';
import { OpenSession } from '../../src/engine/openSession';
import { BlobFiles } from '../../src/host/blobFiles';
import { Diffs } from '../../src/host/diffs';
import { chatOpener } from '../../src/host/opener';
import { hostRuntime } from '../../src/host/runtime';
import { activate, api, Folder } from './kit';

describe('what the chat opens', () => {
  let folder: Folder;
  const unused = () => Promise.reject(new Error('It is not needed here.'));
  const blobFiles = new BlobFiles(unused);
  const opener = chatOpener(new Diffs({ planned: notPlanned }, blobFiles), blobFiles);

  before(activate);
  beforeEach(() => {
    folder = new Folder('opening');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await folder.remove();
  });

  it('the diff of a reply shows what the file held before and after it', async () => {
    const [before, after] = ['old\r\n', 'new\r\n'];
    await folder.put('d.txt', before);
    const sessionId = await api.newSession();
    await api.send(sessionId, `replace old with new in ${folder.path('d.txt')}`);
    // The same bytes are in the extension's own store, where its provider finds them.
    const session = await sessionWith(folder, 'd.txt', before, after);
    await opener.openChange(session, 'reply', folder.uri('d.txt').toString());
    const { input, label } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.instanceOf(input, vscode.TabInputTextDiff);
    assert.include(label, 'd.txt');
    const text = async (uri: vscode.Uri) =>
      (await vscode.workspace.openTextDocument(uri)).getText();
    assert.equal(await text(input.original), before);
    assert.equal(await text(input.modified), after);
    assert.isFalse(vscode.workspace.fs.isWritableFileSystem(input.original.scheme));

    await opener.openChanges(session, 'reply');
    assert.include(vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Changes of the reply');
    await refused(opener.openChange(session, 'reply', folder.uri('other.txt').toString()));
  });

  it('a link to a file opens it at its line', async () => {
    await folder.put('lines.txt', '1\n2\n3\n4\n');
    const session = await sessionWith(folder, 'lines.txt', '', 'x');
    await opener.openLink(session, `${folder.path('lines.txt')}#L2`);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await opener.openLink(session, `${folder.path('lines.txt')}:3`);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);
  });

  it('links that are neither web nor a file of the workspace are not followed', async () => {
    await folder.put('x.txt', 'x');
    const session = await sessionWith(folder, 'x.txt', '', 'x');
    for (const href of [
      'command:workbench.action.quit',
      'vscode://some.extension/do',
      'javascript:alert(1)',
      'file:///etc/passwd',
      '/etc/passwd',
      `${folder.name}/../../options.json`,
      `${folder.name}/%2e%2e/%2e%2e/options.json`,
      'nothing-here.txt',
    ])
      await refused(opener.openLink(session, href), href);
    assert.isUndefined(vscode.window.activeTextEditor);
  });
});

async function refused(promise: Promise<unknown>, what = ''): Promise<void> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.instanceOf(error, RetraceError, what);
  assert.equal(error.code, 'not_found', what);
}

/** A session whose one reply changed one file of the folder. */
async function sessionWith(
  folder: Folder,
  file: string,
  before: string,
  after: string,
): Promise<OpenSession> {
  const [root] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(root);
  const state = new SessionState({
    id: 'shown',
    title: '',
    titleLocked: false,
    folders: [{ id: 'f0', uri: root.uri.toString(), name: root.name }],
    createdAt: 0,
    archived: false,
  });
  const side = async (text: string) => {
    const bytes = new TextEncoder().encode(text);
    return { kind: 'file', hash: await hostRuntime.sha256(bytes), size: bytes.length } as const;
  };
  const record: SessionRecord = {
    type: 'node',
    node: {
      role: 'assistant',
      id: 'reply',
      parentId: null,
      filesFrom: null,
      createdAt: 0,
      order: 0,
      model: 'practice',
      parts: [],
      status: 'done',
      changes: [
        {
          type: 'change',
          file: `f0/${folder.path(file)}`,
          before: await side(before),
          after: await side(after),
          by: 'agent',
        },
      ],
    },
  };
  state.apply(record);
  const nowhere = () => Promise.resolve();
  return new OpenSession(state, undefined, { append: nowhere, saveDraft: async () => undefined });
}

function notPlanned(): never {
  throw new Error('Nothing is planned here.');
}
