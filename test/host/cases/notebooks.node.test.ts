import { readFile, writeFile } from 'node:fs/promises';
import { assert } from 'chai';
import * as vscode from 'vscode';
import type { TurnResult } from '../../../src/engine/liveReply';
import type { MoveResult } from '../../../src/host/commands/results';
import { activate, api, Folder } from '../kit';
import { closeEditors, until } from './kit';

/** As Jupyter writes it: an indent of one space, and metadata of its own. */
const written = `${JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', id: 'c1', metadata: {}, source: ['# Title'] },
      {
        cell_type: 'code',
        execution_count: 7,
        id: 'c2',
        metadata: {},
        outputs: [{ name: 'stdout', output_type: 'stream', text: ['two\n'] }],
        source: ["print('two')"],
      },
      {
        cell_type: 'code',
        execution_count: null,
        id: 'c3',
        metadata: {},
        outputs: [],
        source: ['3'],
      },
      { cell_type: 'markdown', id: 'c4', metadata: {}, source: ['last'] },
    ],
    metadata: { language_info: { name: 'python' }, x: 1 },
    nbformat: 4,
    nbformat_minor: 5,
  },
  undefined,
  1,
)}\n`;

describe('notebooks', () => {
  let folder: Folder;
  let sessionId: string;
  let notebook: vscode.NotebookDocument;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('notebooks');
    await folder.put('n.ipynb', written);
    sessionId = await api.newSession();
  });
  afterEach(async () => {
    if (!notebook.isClosed && notebook.isDirty) await notebook.save();
    await closeEditors();
    await folder.remove();
  });

  const onDisk = () => readFile(folder.uri('n.ipynb').fsPath, 'utf8');
  const texts = () => notebook.getCells().map((cell) => cell.document.getText());

  async function open(): Promise<void> {
    notebook = await vscode.workspace.openNotebookDocument(folder.uri('n.ipynb'));
    await vscode.window.showNotebookDocument(notebook);
  }

  /** Changes the second cell and adds one at the end. */
  async function change(): Promise<TurnResult> {
    const file = folder.path('n.ipynb');
    const turn = await api.send(
      sessionId,
      [
        `replace print('two') with print('TWO') in ${file}`,
        `replace "\\"last\\"\\n   ]\\n  }" with "\\"last\\"\\n   ]\\n  },\\n  { \\"cell_type\\": \\"markdown\\", \\"id\\": \\"c5\\", \\"metadata\\": {}, \\"source\\": [\\"new\\"] }" in ${file}`,
      ].join('\n'),
    );
    assert.equal(turn.status, 'done');
    return turn;
  }

  it('C31 open: the editor follows the turn and the rewind, saved, with every output and all metadata', async () => {
    await open();
    const turn = await change();
    await until(async () => texts().join() === "# Title,print('TWO'),3,last,new");
    const result = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(result.errors, []);
    assert.equal(await onDisk(), written);
    await until(async () => texts().join() === "# Title,print('two'),3,last");
    assert.isFalse(notebook.isDirty);
    const cell = notebook.cellAt(1);
    assert.equal(cell.executionSummary?.executionOrder, 7);
    assert.lengthOf(cell.outputs, 1);
    assert.equal(await onDisk(), written);
  });

  for (const answer of ['keep', 'restore'] as const) {
    it(`C31 changed in its editor meanwhile: no cell is lost by ${answer}`, async () => {
      await open();
      const turn = await change();
      await until(async () => notebook.cellCount === 5);
      const edit = new vscode.WorkspaceEdit();
      const mine = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'mine', 'python');
      edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(1, [mine])]);
      assert.isTrue(await vscode.workspace.applyEdit(edit));
      assert.isTrue(notebook.isDirty);
      const rewind = { sessionId, messageId: turn.userMessageId, confirm: false };
      const result = await api.call<MoveResult>('rewind', { ...rewind, onConflict: answer });
      const [file] = result.files;
      if (answer === 'keep') {
        assert.equal(file?.outcome, 'kept');
        assert.include(texts(), 'mine');
        return;
      }
      assert.equal(file?.outcome, 'restored');
      assert.equal(await onDisk(), written);
      await api.move('undoMove', { sessionId });
      const back = await onDisk();
      for (const text of ['mine', "print('TWO')", 'last', 'new']) assert.include(back, text);
    });
  }

  it('C31 closed: an edit that leaves no JSON is an error, and the file stays', async () => {
    await open();
    await closeEditors();
    await writeFile(folder.uri('n.ipynb').fsPath, written);
    const turn = await api.send(
      sessionId,
      `replace "\\"nbformat\\": 4," with "\\"nbformat\\": 4,,," in ${folder.path('n.ipynb')}`,
    );
    assert.equal(turn.status, 'done');
    assert.equal(await onDisk(), written);
  });
});
