import { lstat, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from 'chai';
import * as vscode from 'vscode';
import {
  openAi,
  sendStream,
  startServer,
  type StreamServer,
} from '../../unit/agent/kit/streamServer';
import { activate, api, Folder } from '../kit';
import { until } from './kit';

describe('symbolic links', () => {
  let folder: Folder;
  let sessionId: string;
  let server: StreamServer;
  let answer: (n: number) => string;
  const setModels = async (models: unknown): Promise<void> => {
    await vscode.workspace
      .getConfiguration()
      .update('retrace.models', models, vscode.ConfigurationTarget.Global);
  };
  const waiting = () =>
    api.call<{ approvalId: string; kind: string; detail: string }[]>('pendingApprovals', {
      sessionId,
    });
  const at = (name: string): string => folder.uri(name).fsPath;

  before(async function () {
    if (process.platform === 'win32') this.skip();
    await activate();
    server = await startServer((response, n) => sendStream(response, answer(n)));
    const model = { id: 'links', provider: 'openai-compatible', model: 'm' };
    await setModels([{ ...model, baseUrl: `${server.url}/v1` }]);
  });
  after(async function () {
    if (process.platform === 'win32') return;
    await setModels(undefined);
    await server.stop();
  });
  beforeEach(async () => {
    folder = new Folder('links');
    await folder.put('real.txt', 'real\n');
    // A title of its own: the model is asked for none.
    sessionId = await api.newSession('links');
  });
  afterEach(() => folder.remove());

  for (const [target, what] of [
    ['real.txt', 'a file beside it'],
    ['/etc/hostname', 'a place outside'],
    ['nowhere', 'nothing'],
  ] as const) {
    it(`C27 a link to ${what} that the agent deletes comes back as that link`, async () => {
      await symlink(target, at('link'));
      const turn = await api.send(sessionId, `delete ${folder.path('link')}`);
      assert.equal(turn.status, 'done');
      assert.isFalse(
        await lstat(at('link')).then(
          () => true,
          () => false,
        ),
      );
      const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
      assert.deepEqual(back.errors, []);
      assert.equal(await readlink(at('link')), target);
      assert.equal(await readFile(at('real.txt'), 'utf8'), 'real\n');
      await api.move('checkout', { sessionId, messageId: turn.assistantMessageId });
      assert.isFalse(
        await lstat(at('link')).then(
          () => true,
          () => false,
        ),
      );
    });
  }

  it('C27 an edit through a link changes what it leads to, and rewinds there', async () => {
    await symlink('real.txt', at('link'));
    const turn = await api.send(sessionId, `replace real with changed in ${folder.path('link')}`);
    assert.equal(await readFile(at('real.txt'), 'utf8'), 'changed\n');
    assert.equal(await readlink(at('link')), 'real.txt');
    await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.equal(await readFile(at('real.txt'), 'utf8'), 'real\n');
    assert.equal(await readlink(at('link')), 'real.txt');
  });

  it('what a link shows of a place outside is read with leave only, and not found by a search', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'retrace-outside-'));
    await writeFile(join(outside, 'secret.txt'), 'a hidden word\n');
    await symlink(join(outside, 'secret.txt'), at('file'));
    await symlink(outside, at('folder'));
    const outputs = async (handle: (n: number) => string): Promise<string[]> => {
      const from = server.bodies.length;
      answer = (n) => handle(n - from);
      const turn = api.send(sessionId, 'look', { model: 'links' });
      const ended = { done: false };
      void turn.finally(() => (ended.done = true));
      const asked: string[] = [];
      await until(async () => {
        for (const { approvalId, kind, detail } of await waiting()) {
          asked.push(`${kind}: ${detail}`);
          await api.call('answerApproval', { approvalId, answer: 'deny' });
        }
        return ended.done;
      });
      assert.equal((await turn).status, 'done');
      assert.notInclude(server.bodies.slice(from).join('\n'), 'a hidden word');
      return asked;
    };
    const name = (file: string) => folder.path(file);
    const once = (tool: string, input: object) => (n: number) =>
      n === 0 ? openAi.call('c1', tool, input) : openAi.say('so be it');
    assert.deepEqual(await outputs(once('read', { path: name('file') })), [
      `outside: read ${name('file')}`,
    ]);
    assert.deepEqual(await outputs(once('read', { path: name('folder/secret.txt') })), [
      `outside: read ${name('folder/secret.txt')}`,
    ]);
    assert.deepEqual(await outputs(once('list', { path: name('folder') })), [
      `outside: list ${name('folder')}`,
    ]);
    const search = { pattern: 'a hidden w', isRegExp: false };
    assert.deepEqual(await outputs(once('search', search)), []);
    assert.deepEqual(await outputs(once('search', { ...search, path: folder.name })), []);
    await rm(outside, { recursive: true });
  });

  it('a link to a file that steers a tool is asked about like that file', async () => {
    await folder.put('.npmrc', 'a=1\n');
    await symlink('.npmrc', at('plain.txt'));
    const turn = api.send(sessionId, `write ${folder.path('plain.txt')} with b=2\\n`);
    const asked = await until(async () => (await waiting())[0]);
    assert.equal(asked.kind, 'write');
    await api.call('answerApproval', { approvalId: asked.approvalId, answer: 'deny' });
    await turn;
    assert.equal(await readFile(at('.npmrc'), 'utf8'), 'a=1\n');
  });
});
