// Whole turns on every kind of content in every state of its editor: what lies on disk, read by Node's own fs, after the
// turn, after the rewind, forward again, and back again.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { assert } from 'chai';
import * as vscode from 'vscode';
import type { MoveResult } from '../../../src/host/commands/results';
import type { TurnResult } from '../../../src/engine/liveReply';
import { pairs, product, type Row } from '../../kit/pairs';
import { activate, api, Folder } from '../kit';
import { sleep, until } from '../cases/kit';
import { hostOptions } from '../options';
import { closeEditors, setSettings, tabCount } from './kit';

const dimensions = {
  encoding: [
    'UTF-8',
    'UTF-8 with BOM',
    'UTF-16 LE',
    'UTF-16 BE',
    'Windows 1252',
    'GB 18030',
    'invalid UTF-8',
    'with NUL',
  ],
  lines: ['LF', 'CRLF', 'CR', 'mixed'],
  end: ['final newline', 'no final newline', 'blanks at the end'],
  editor: ['closed', 'open', 'unsaved', 'two editors'],
  saving: ['plain', 'participants', 'auto-save'],
  change: ['edit', 'write', 'delete', 'rename', 'command'],
} as const;
type Case = Row<typeof dimensions>;

/** Every one an editor opens as text, and Node writes. */
const texts: Readonly<Record<Case['encoding'], (text: string) => Uint8Array>> = {
  'UTF-8': (text) => new TextEncoder().encode(text),
  'UTF-8 with BOM': (text) => joined([0xef, 0xbb, 0xbf], new TextEncoder().encode(text)),
  'UTF-16 LE': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 BE': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'Windows 1252': (text) => Buffer.from(text, 'latin1'),
  'GB 18030': (text) =>
    joined(
      ...text.split('é').flatMap((part, at) => [at === 0 ? [] : [0xc4, 0xe3], Buffer.from(part)]),
    ),
  'invalid UTF-8': (text) => joined(Buffer.from(text), [0xff, 0xc3]),
  'with NUL': (text) => joined(Buffer.from(text), [0]),
};
const settingOf: Partial<Record<Case['encoding'], string>> = {
  'Windows 1252': 'windows1252',
  'GB 18030': 'gb18030',
};
const lineEnds: Readonly<Record<Case['lines'], readonly string[]>> = {
  LF: ['\n'],
  CRLF: ['\r\n'],
  CR: ['\r'],
  mixed: ['\r\n', '\n', '\r'],
};
const ends: Readonly<Record<Case['end'], string>> = {
  'final newline': '\n',
  'no final newline': '',
  'blanks at the end': '  \n\n\n',
};
const participants = {
  'files.insertFinalNewline': true,
  'files.trimTrailingWhitespace': true,
  'files.trimFinalNewlines': true,
  'editor.formatOnSave': true,
};
const savings: Readonly<Record<Case['saving'], Readonly<Record<string, unknown>>>> = {
  plain: { 'files.autoSave': 'off' },
  participants: { 'files.autoSave': 'off', ...participants },
  'auto-save': { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 40, ...participants },
};
const reset = {
  ...Object.fromEntries(Object.keys(savings['auto-save']).map((name) => [name, undefined])),
  'files.encoding': undefined,
  'retrace.approvals.command': undefined,
};

function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function contentOf({ encoding, lines, end }: Case, second: string): Uint8Array {
  const [first = '\n', ...others] = lineEnds[lines];
  const text = `one é${first}${second}${others[0] ?? first}three${others[1] ?? first}four${ends[end]}`;
  return texts[encoding](text);
}

/** What is there to see: the bytes of both names, and text that no disk has. */
interface Seen {
  readonly file: string | undefined;
  readonly renamed: string | undefined;
  readonly unsaved: string | undefined;
}

describe('files: bytes through turns and moves (C20, C21, C22, C23, C35)', () => {
  let folder: Folder;
  let formatter: vscode.Disposable;
  let set: string | undefined;

  before(async function () {
    if (process.platform === 'win32') this.skip();
    await activate();
    folder = new Folder('bytes');
    await mkdir(folder.uri('').fsPath, { recursive: true });
    await setSettings({ 'retrace.approvals.command': 'allow' });
    // A formatter that is never content, so that it shows wherever it runs.
    formatter = vscode.languages.registerDocumentFormattingEditProvider('plaintext', {
      provideDocumentFormattingEdits: () => [
        vscode.TextEdit.insert(new vscode.Position(0, 0), 'formatted '),
      ],
    });
  });
  after(async () => {
    formatter.dispose();
    await closeEditors();
    await setSettings(reset);
    await folder.remove();
  });

  const cases = hostOptions.whole === true ? product(dimensions) : pairs(dimensions);
  // Settings change seldom: they are slow.
  const ordered = cases.filter(possible).sort((a, b) => setting(a).localeCompare(setting(b)));
  for (const [at, one] of ordered.entries()) {
    it(Object.values(one).join(', '), async () => {
      if (set !== setting(one)) {
        await setSettings({
          ...reset,
          'retrace.approvals.command': 'allow',
          ...savings[one.saving],
          'files.encoding': settingOf[one.encoding],
        });
        set = setting(one);
      }
      await walk(one, `${at} #1%.txt`);
      await closeEditors();
    });
  }

  /** What holds a NUL is not opened as text. */
  function possible({ encoding, editor }: Case): boolean {
    return encoding !== 'with NUL' || editor === 'closed';
  }

  function setting({ saving, encoding }: Case): string {
    return `${saving} ${settingOf[encoding] ?? ''}`;
  }

  async function walk(one: Case, name: string): Promise<void> {
    const content = contentOf(one, 'two');
    await writeFile(folder.uri(name).fsPath, content);
    const encoding = await show(one, name);
    const tabs = tabCount();
    const before = await seen(name);
    if (one.editor !== 'unsaved') assert.equal(before.file, hex(content));

    const sessionId = await api.newSession();
    const turn = await api.send(sessionId, instruction(one, name));
    assert.equal(turn.status, 'done');
    await settled(one, name);
    const after = await seen(name);
    expected(one, before, after);

    // Text that was only in an editor the agent closed comes back as the file's.
    const back =
      one.change === 'delete' && before.unsaved !== undefined
        ? { ...before, file: await encoded(encoding, before.unsaved), unsaved: undefined }
        : before;
    if (one.change === 'command' && before.unsaved !== undefined)
      await conflict(turn, sessionId, before, after, name);
    else
      for (const wanted of [back, after, back]) {
        const result = await api.move(wanted === back ? 'rewind' : 'checkout', {
          sessionId,
          messageId: wanted === back ? turn.userMessageId : turn.assistantMessageId,
        });
        assert.deepEqual(result.errors, []);
        await settled(one, name);
        assert.deepEqual(await seen(name), wanted);
      }
    assert.isAtMost(tabCount(), tabs, 'no tab more');
    await closeEditors();
    await rm(folder.uri(name).fsPath, { force: true });
    await rm(folder.uri(`${name}.moved`).fsPath, { force: true });
  }

  /** A command wrote under unsaved text: that is somebody's, and stays until the checkpoint is asked for. */
  async function conflict(
    turn: TurnResult,
    sessionId: string,
    before: Seen,
    after: Seen,
    name: string,
  ): Promise<void> {
    const target = { sessionId, messageId: turn.userMessageId };
    const kept = await api.call<MoveResult>('rewind', { ...target, confirm: false });
    assert.deepEqual(
      kept.files.map(({ outcome }) => outcome),
      ['kept'],
    );
    assert.deepEqual(await seen(name), after);
    await api.call('retryFiles', { sessionId, confirm: false, onConflict: 'restore' });
    const back = await seen(name);
    assert.equal(back.file, before.file);
    assert.isUndefined(back.unsaved);
  }

  /** Returns the encoding VS Code takes the file to be in. */
  async function show(one: Case, name: string): Promise<string> {
    const { editor } = one;
    if (editor === 'closed') return '';
    const document = await vscode.workspace.openTextDocument(folder.uri(name));
    const first = await vscode.window.showTextDocument(document, { preview: false });
    if (editor === 'two editors')
      await vscode.window.showTextDocument(document, {
        preview: false,
        viewColumn: vscode.ViewColumn.Beside,
      });
    const { encoding } = document;
    if (editor !== 'unsaved') return encoding;
    const end = document.positionAt(document.getText().length);
    await first.edit((edit) => edit.insert(end, 'mine'));
    await settled(one, name);
    return encoding;
  }

  function instruction({ change }: Case, name: string): string {
    const file = JSON.stringify(folder.path(name));
    const path = `'${folder.path(name)}'`;
    return {
      edit: `replace two with TWO in ${file}`,
      write: `write ${file} with one\\nNEW\\nthree\\n`,
      delete: `delete ${file}`,
      rename: `rename ${file} to ${JSON.stringify(folder.path(`${name}.moved`))}`,
      command: `run printf 'more\\r\\nand\\0' >> ${path}`,
    }[change];
  }

  function expected(one: Case, before: Seen, after: Seen): void {
    const unsaved = before.unsaved !== undefined;
    switch (one.change) {
      case 'edit': {
        if (one.editor === 'unsaved' && !unsaved) return;
        const edited = unsaved ? before.file : hex(contentOf(one, 'TWO'));
        if (knownToAgent(one)) assert.equal(after.file, edited);
        else assert.equal(after.file, before.file, 'refused');
        return;
      }
      case 'delete':
        assert.isUndefined(after.file);
        return;
      case 'rename':
        assert.isUndefined(after.file);
        assert.equal(after.renamed, before.file);
        return;
      case 'command':
        assert.equal(after.file, `${before.file}${hex(Buffer.from('more\r\nand\0'))}`);
        return;
      case 'write':
        if (unsaved || !knownToAgent(one)) assert.equal(after.file, before.file);
        else assert.notEqual(after.file, before.file);
    }
  }

  /** Auto-save leaves nothing unsaved for long; what it would do to a saved file it has then done too. */
  async function settled({ saving }: Case, name: string): Promise<void> {
    if (saving !== 'auto-save') return;
    await until(async () => unsavedText(name) === undefined);
    await sleep(60);
  }

  function unsavedText(name: string): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      (document) =>
        document.isDirty && !document.isClosed && document.uri.path.includes(name.slice(0, -4)),
    );
  }

  async function seen(name: string): Promise<Seen> {
    return {
      file: await bytes(name),
      renamed: await bytes(`${name}.moved`),
      unsaved: unsavedText(name)?.getText(),
    };
  }

  async function bytes(name: string): Promise<string | undefined> {
    return readFile(folder.uri(name).fsPath).then(hex, () => undefined);
  }
});

/** What an editor's text is on disk, by the editor's own encoding. */
async function encoded(encoding: string, text: string): Promise<string> {
  return hex(await vscode.workspace.encode(text, { encoding }));
}

/** The agent edits text it can write back as it was, and refuses all other. */
function knownToAgent({ encoding }: Case): boolean {
  return encoding.startsWith('UTF');
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
