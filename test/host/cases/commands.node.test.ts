import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from 'chai';
import * as vscode from 'vscode';
import type { PendingApproval } from '../../../src/engine/approvals';
import type { TurnResult } from '../../../src/engine/liveReply';
import {
  openAi,
  sendStream,
  startServer,
  type StreamServer,
} from '../../unit/agent/kit/streamServer';
import { activate, api, codeOf, Folder, replyOf } from '../kit';
import { closeEditors, openInEditor, outcomes, sleep, until } from './kit';

const run = promisify(execFile);

describe('what commands do', () => {
  let folder: Folder;
  let sessionId: string;
  const at = (...names: string[]): string => join(folder.uri('').fsPath, ...names);

  before(async function () {
    // The command lines of these cases are a POSIX shell's.
    if (process.platform === 'win32') this.skip();
    await activate();
  });
  beforeEach(async () => {
    folder = new Folder('commands');
    await mkdir(at(), { recursive: true });
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  const pending = () => api.call<PendingApproval[]>('pendingApprovals', { sessionId });
  const question = () => until(async () => (await pending())[0]);
  const answer = async (answered: string): Promise<PendingApproval> => {
    const asked = await question();
    await api.call('answerApproval', { approvalId: asked.approvalId, answer: answered });
    return asked;
  };
  /** In a browser VS Code saves by itself after a second. */
  const autoSave = async (mode: 'off' | undefined): Promise<void> => {
    await vscode.workspace
      .getConfiguration('files')
      .update('autoSave', mode, vscode.ConfigurationTarget.Global);
  };
  /** A command in the test's own folder. */
  const line = (command: string): string => `run cd ${folder.name} && { ${command}; }`;

  /** Sends a message whose one command is allowed. */
  async function allowed(text: string): Promise<TurnResult & { asked: PendingApproval }> {
    const turn = api.send(sessionId, text);
    const asked = await answer('once');
    return { ...(await turn), asked };
  }

  const git = (where: string, ...args: readonly string[]): Promise<string> =>
    run(
      'git',
      [
        '-c',
        'user.name=t',
        '-c',
        'user.email=t@example.org',
        '-c',
        'commit.gpgsign=false',
        ...args,
      ],
      {
        cwd: at(where),
        env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_OPTIONAL_LOCKS: '0' },
      },
    ).then(({ stdout }) => stdout);

  /** Everything below the folder by Node's own fs; below a `.git` also when it was written. */
  async function everything(): Promise<Record<string, string>> {
    const all: Record<string, string> = {};
    for (const path of (await readdir(at(), { recursive: true })).sort()) {
      const stats = await lstat(at(path));
      if (stats.isSymbolicLink()) all[path] = `link ${await readlink(at(path))}`;
      else if (stats.isDirectory()) all[path] = 'folder';
      else all[path] = `${stats.mode} ${(await readFile(at(path))).toString('base64')}`;
      if (stats.isFile() && path.split('/').includes('.git'))
        all[path] = `${all[path] ?? ''} ${stats.mtimeMs}`;
    }
    return all;
  }

  it('C14 what one command removed, rewrote and made is exactly back, and forward again', async () => {
    await writeFile(at('go.mod'), 'm\n');
    await writeFile(at('logo.png'), Buffer.from('89504e470d0a1a0a0000fffe', 'hex'));
    await writeFile(at('a.txt'), '1\n');
    const before = await everything();
    const command =
      'rm go.mod logo.png; printf 2 > a.txt; mkdir gen; echo x > gen/x.txt; ln -s a.txt l';
    const turn = await allowed(line(command));
    assert.equal(turn.asked.kind, 'command');
    assert.include(turn.asked.detail, command);
    assert.include(turn.asked.note ?? '', 'outside the workspace');
    assert.equal(turn.status, 'done');
    const after = await everything();
    assert.notDeepEqual(after, before);
    const { nodes } = await api.getSession(sessionId);
    const files = nodes.find(({ id }) => id === turn.assistantMessageId)?.files ?? [];
    assert.includeMembers(
      files.map(
        ({ uri, kind }) =>
          `${kind} ${uri.slice(folder.uri('').toString().length).replace(/^\//u, '')}`,
      ),
      ['deleted go.mod', 'deleted logo.png', 'changed a.txt', 'created gen/x.txt', 'created l'],
    );
    for (let round = 0; round < 2; round++) {
      const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
      assert.deepEqual(back.errors, []);
      assert.deepEqual(await everything(), before);
      const forward = await api.move('checkout', { sessionId, messageId: replyOf(turn) });
      assert.deepEqual(forward.errors, []);
      assert.deepEqual(await everything(), after);
    }
  });

  it('C14 a refused command does nothing, and says so', async () => {
    await writeFile(at('a.txt'), '1\n');
    const turn = api.send(sessionId, line('rm a.txt'));
    await answer('deny');
    assert.equal((await turn).status, 'done');
    assert.equal(await folder.text('a.txt'), '1\n');
    const { nodes } = await api.getSession(sessionId);
    assert.include(nodes.at(-1)?.text ?? '', 'did not allow');
  });

  it('C29 R6 nested repositories and submodules are covered, and no .git is touched', async function () {
    this.timeout(60_000);
    for (const place of ['.', 'vendor/lib', 'empty']) {
      await mkdir(at(place), { recursive: true });
      await git(place, 'init', '-q');
      await writeFile(at(place, 'f.txt'), `${place}\n`);
    }
    await mkdir(at('sub'));
    await mkdir(at('.git', 'modules'));
    await git('sub', 'init', '-q', '--separate-git-dir', at('.git', 'modules', 'sub'));
    await writeFile(at('sub', 'f.txt'), 'sub\n');
    for (const place of ['vendor/lib', 'sub', '.']) {
      await git(place, 'add', 'f.txt');
      await git(place, 'commit', '-qm', 'one');
    }
    await writeFile(at('vendor/lib', 'f.txt'), 'not committed\n');
    await sleep(30);
    const before = await everything();
    const places = ['.', 'vendor/lib', 'sub', 'empty'];
    const statuses = () => Promise.all(places.map((place) => git(place, 'status', '--porcelain')));
    const status = await statuses();
    const turn = await allowed(
      line(`for d in ${places.join(' ')}; do echo more >> $d/f.txt; echo new > $d/n.txt; done`),
    );
    assert.equal(turn.status, 'done');
    const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(back.errors, []);
    assert.deepEqual(await everything(), before);
    assert.deepEqual(await statuses(), status);
  });

  it('C30 a file too large to copy is named at the turn and at the rewind, and stays', async function () {
    this.timeout(90_000);
    await writeFile(at('big.log'), 'line of text\n'.repeat(4_700_000));
    await writeFile(at('small.txt'), '0\n');
    const { size } = await stat(at('big.log'));
    const turn = await allowed(line('echo x >> big.log; echo 1 > small.txt'));
    assert.equal(turn.status, 'done');
    const { nodes } = await api.getSession(sessionId);
    const files = nodes.find(({ id }) => id === turn.assistantMessageId)?.files ?? [];
    const named = files.find(({ uri }) => uri.endsWith('big.log'));
    assert.isOk(named?.uncovered);
    const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(outcomes(folder, back), { 'big.log': 'uncovered', 'small.txt': 'restored' });
    assert.equal(await folder.text('small.txt'), '0\n');
    assert.equal((await stat(at('big.log'))).size, size + 2);
  });

  it('C68 a command is stopped with all it started before anything is taken back, and nothing comes late', async function () {
    this.timeout(60_000);
    await writeFile(at('f'), '0\n');
    const before = await everything();
    const text = [
      `write ${folder.path('f')} with 1\\n`,
      line('echo on > began; (sleep 5; echo late > f) & sleep 6; echo late > f'),
      line('echo third'),
    ].join('\n');
    const turn = api.send(sessionId, text);
    await answer('once');
    await until(async () => (await folder.text('began')) !== undefined);
    const [point] = await api.points(sessionId);
    const target = { sessionId, messageId: point?.messageId };
    assert.equal(await codeOf(api.move('rewind', target)), 'run_active');
    const stopping = Date.now();
    await api.call('stop', { sessionId });
    assert.isBelow(Date.now() - stopping, 5_000);
    assert.equal((await turn).status, 'interrupted');
    assert.deepEqual(await pending(), []);
    const [one, two] = await Promise.all([api.move('rewind', target), api.move('rewind', target)]);
    assert.equal(one.moveId, two.moveId);
    assert.deepEqual(await everything(), before);
    await sleep(7_000);
    assert.deepEqual(await everything(), before);
    assert.deepEqual((await api.getSession(sessionId)).view, []);
    assert.equal((await api.send(sessionId, 'say on')).status, 'done');
  });

  it('C68 an open question is closed when the turn is stopped', async () => {
    const turn = api.send(sessionId, line('echo never > f'));
    const { approvalId } = await question();
    await api.call('stop', { sessionId });
    assert.equal((await turn).status, 'interrupted');
    assert.deepEqual(await pending(), []);
    assert.equal(
      await codeOf(api.call('answerApproval', { approvalId, answer: 'once' })),
      'not_found',
    );
    assert.isUndefined(await folder.text('f'));
  });

  describe('and what a model hears of them', () => {
    let server: StreamServer;

    before(async () => {
      server = await startServer((response) => sendStream(response, openAi.say('heard')));
      const model = { provider: 'openai-compatible', baseUrl: `${server.url}/v1` };
      await vscode.workspace
        .getConfiguration()
        .update(
          'retrace.models',
          [{ id: 'heard', model: 'heard', ...model }],
          vscode.ConfigurationTarget.Global,
        );
    });
    after(async () => {
      await vscode.workspace
        .getConfiguration()
        .update('retrace.models', undefined, vscode.ConfigurationTarget.Global);
      await server.stop();
    });

    it('C69 after a rewind the output of a command is not sent', async () => {
      await writeFile(at('f'), '0\n');
      const turn = await allowed(line('echo from-the-$((40+2))-command; echo 1 > f'));
      await api.send(sessionId, 'and now', { model: 'heard' });
      assert.include(server.bodies.at(-1) ?? '', 'from-the-42-command');
      await api.move('rewind', { sessionId, messageId: turn.userMessageId });
      assert.equal(await folder.text('f'), '0\n');
      await api.send(sessionId, 'change f', { model: 'heard' });
      assert.notInclude(server.bodies.at(-1) ?? '', 'from-the-');
    });
  });

  for (const [given, seen] of [
    ['once', 'by the agent\n'],
    ['asIs', 'on disk\n'],
  ] as const) {
    it(`C35 what the agent left unsaved is named, and a command sees it saved or not (${given})`, async () => {
      await autoSave('off');
      await writeFile(at('open.txt'), 'on disk\n');
      const editor = await openInEditor(folder, 'open.txt');
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed\n'));
      const write = `write ${folder.path('open.txt')} with by the agent\\n`;
      const turn = api.send(sessionId, `${write}\n${line('cat open.txt > seen.txt')}`);
      const asked = await answer(given);
      assert.include(asked.answers, 'asIs');
      assert.match(asked.note ?? '', /Saved before it runs: .*open\.txt/u);
      // What is saved is not also told to be left unsaved.
      assert.notMatch(asked.note ?? '', /not the unsaved text/u);
      const { status, userMessageId } = await turn;
      assert.equal(status, 'done');
      assert.equal(await readFile(at('seen.txt'), 'utf8'), seen);
      assert.equal(editor.document.isDirty, given === 'asIs');
      await api.move('rewind', { sessionId, messageId: userMessageId });
      assert.equal(editor.document.getText(), 'typed\non disk\n');
      await closeEditors();
      await autoSave(undefined);
    });
  }
});
