import { assert } from 'chai';
import * as vscode from 'vscode';
import {
  openAi,
  sendStream,
  startServer,
  type Handler,
  type StreamServer,
} from '../../unit/agent/kit/streamServer';
import { activate, api, Folder, replyOf } from '../kit';
import { closeEditors, openInEditor, until } from './kit';

describe('what a model is sent', () => {
  let folder: Folder;
  let sessionId: string;
  let server: StreamServer;
  let handle: Handler;
  const f = () => folder.text('f');

  before(async () => {
    await activate();
    server = await startServer((response, index) => handle(response, index));
    const models = ['own', 'missing'].map((id) => ({
      id,
      provider: 'openai-compatible',
      model: id,
      baseUrl: `${server.url}/v1`,
    }));
    await vscode.workspace
      .getConfiguration()
      .update('retrace.models', models, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration()
      .update('retrace.models', undefined, vscode.ConfigurationTarget.Global);
    await server.stop();
  });
  beforeEach(async () => {
    folder = new Folder('requests');
    await folder.put('f', '0\n');
    sessionId = await api.newSession();
    handle = (response) => sendStream(response, openAi.say('heard'));
  });
  afterEach(() => folder.remove());

  const write = (text: string) => api.send(sessionId, `write ${folder.path('f')} with ${text}\\n`);
  const lastBody = (): string => server.bodies.at(-1) ?? '';

  it('C40 a fork sends nothing from after its point', async () => {
    for (const text of ['alpha', 'beta', 'gamma']) await api.send(sessionId, `say ${text}`);
    const points = await api.points(sessionId);
    const beta = points.find(({ text }) => text === 'say beta')?.messageId;
    const reply = (await api.getSession(sessionId)).nodes.find(
      ({ parentId }) => parentId === beta,
    )?.id;
    const bodyOf = async (messageId: string | undefined): Promise<string> => {
      const fork = await api.call<{ sessionId: string }>('fork', { sessionId, messageId });
      assert.equal((await api.send(fork.sessionId, 'go on', { model: 'own' })).status, 'done');
      return lastBody();
    };
    const atReply = await bodyOf(reply);
    assert.include(atReply, 'say beta');
    assert.notInclude(atReply, 'gamma');
    const atMessage = await bodyOf(beta);
    assert.include(atMessage, 'alpha');
    assert.notInclude(atMessage, 'beta');
  });

  it('C41 an edited message is sent with its ancestors only, over the files of its moment', async () => {
    const attachments = [{ uri: folder.uri('f').toString() }];
    await write('1');
    const second = await api.send(
      sessionId,
      `write ${folder.path('f')} with 2\\n\nwrite ${folder.path('f')} with 3\\n`,
      { attachments },
    );
    await write('four');
    let seen: string | undefined;
    handle = (response) => {
      void f().then((text) => {
        seen = text;
        sendStream(response, openAi.say('heard'));
      });
    };
    const edited = await api.call<typeof second>('editAndResend', {
      sessionId,
      messageId: second.userMessageId,
      text: 'another way',
      model: 'own',
      confirm: false,
    });
    assert.equal(edited.status, 'done');
    assert.equal(seen, '1\n');
    assert.include(lastBody(), 'another way');
    assert.include(lastBody(), 'with 1');
    assert.notInclude(lastBody(), 'with 2');
    assert.notInclude(lastBody(), 'four');
    // The attachment comes along, with what the file holds now.
    assert.match(lastBody(), /another way[^]*1\\n|1\\n[^]*another way/u);
  });

  /** Regenerates a reply that wrote `1` with a model that goes wrong, and checks what is left. */
  async function triedAgain(model: string, during: () => Promise<unknown>): Promise<string> {
    const first = await write('1');
    const again = api.call<typeof first>('regenerate', { sessionId, model, confirm: false });
    await during();
    const tried = await again;
    assert.include(['failed', 'interrupted'], tried.status);
    const { headId, nodes } = await api.getSession(sessionId);
    const old = nodes.find(({ id }) => id === first.assistantMessageId);
    assert.equal(old?.status, 'done');
    if (headId === first.assistantMessageId) assert.equal(await f(), '1\n');
    else {
      assert.equal(headId, tried.assistantMessageId);
      assert.equal(await f(), '0\n');
    }
    await api.move('checkout', { sessionId, messageId: replyOf(first) });
    assert.equal(await f(), '1\n');
    handle = (response) => sendStream(response, openAi.say('heard'));
    assert.equal((await api.send(sessionId, 'and now', { model: 'own' })).status, 'done');
    return tried.status;
  }

  it('C42 a: a server that refuses each time', async function () {
    this.timeout(60_000);
    handle = (response) => response.writeHead(503).end('overloaded');
    assert.equal(await triedAgain('own', async () => undefined), 'failed');
  });

  it('C42 b: a connection cut after five words each time', async function () {
    this.timeout(60_000);
    const words = ['one ', 'two ', 'three ', 'four ', 'five '].map(openAi.text).join('');
    handle = (response) => sendStream(response, words, true);
    // What came through is kept, marked as cut off.
    assert.equal(await triedAgain('own', async () => undefined), 'interrupted');
  });

  it('C42 c: a model the server does not have', async () => {
    handle = (response) => response.writeHead(404).end('{"error":{"message":"no such model"}}');
    assert.equal(await triedAgain('missing', async () => undefined), 'failed');
  });

  it('C42 d: Stop at once', async () => {
    handle = () => undefined;
    const stop = async (): Promise<void> => {
      await until(async () => (await api.getSession(sessionId)).running);
      await api.call('stop', { sessionId });
    };
    assert.equal(await triedAgain('own', stop), 'interrupted');
  });

  for (const scope of ['both', 'chat'] as const) {
    it(`C69 nothing of a turn gone back from (${scope}) is sent, and its reading does not count`, async () => {
      const text = `read ${folder.path('f')}\nwrite ${folder.path('f')} with 1\\n\nread ${folder.path('f')}`;
      const first = await api.send(sessionId, text, {
        attachments: [{ name: 'secret.txt', mime: 'text/plain', base64: btoa('abandoned words') }],
      });
      assert.equal(await f(), '1\n');
      await api.move('rewind', { sessionId, messageId: first.userMessageId, scope });
      const left = scope === 'both' ? '0\n' : '1\n';
      const from = server.bodies.length;
      const edit = { path: folder.path('f'), old: left.trim(), new: '2' };
      handle = (response, index) =>
        sendStream(
          response,
          index === from ? openAi.call('c1', 'edit', edit) : openAi.say('could not'),
        );
      const turn = await api.send(sessionId, 'change f', { model: 'own' });
      assert.equal(turn.status, 'done');
      assert.equal(await f(), left);
      const [request = '', answer = ''] = server.bodies.slice(from);
      assert.notInclude(request, 'abandoned words');
      assert.notInclude(request, 'with 1');
      assert.notInclude(request, 'secret.txt');
      assert.match(answer, /has not been read on this branch/u);
    });
  }

  it('the agent is told the errors that a language of the editor finds in what it wrote', async () => {
    await folder.put('a.json', '{ "a": 1 }');
    await openInEditor(folder, 'a.json');
    const path = folder.path('a.json');
    const calls = [
      openAi.call('c1', 'read', { path }),
      openAi.call('c2', 'edit', { path, old: '1', new: '' }),
    ];
    handle = (response) => {
      const told = lastBody().includes('Value expected');
      // A language takes its time when its first file is opened: it is asked again, a second or so each time.
      const again = openAi.call(`p${server.bodies.length}`, 'problems', { path });
      sendStream(response, calls.shift() ?? (told ? openAi.say('I see') : again));
    };
    assert.equal((await api.send(sessionId, 'change it', { model: 'own' })).status, 'done');
    assert.match(lastBody(), /a\.json:1 error: Value expected/u);
    await closeEditors();
  });
});
