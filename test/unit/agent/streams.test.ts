import { afterEach, describe, expect, it } from 'vitest';
import type { ModelConfig } from '../../../src/engine/ports';
import { anthropic, openAi, sendStream, startServer } from './kit/streamServer';
import type { Handler, StreamServer } from './kit/streamServer';
import { runTurn, user } from './kit/turns';
import type { TurnSetup } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

let server: StreamServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function against(
  handle: Handler,
  setup: TurnSetup = {},
  provider: ModelConfig['provider'] = 'openai-compatible',
) {
  server = await startServer(handle);
  const model = { id: 'm', provider, baseUrl: `${server.url}/v1`, model: 'm' };
  const turn = await runTurn('go', { model, apiKey: 'key', ...setup });
  return { ...turn, requests: server.bodies.length };
}

const args = JSON.stringify({ path: 'a.txt', text: 'line1\nline2\n' });
const original = { 'a.txt': 'orig\n' };

describe('streams that break', () => {
  const head = openAi.callStart('c1', 'write');
  const cases: Record<string, Handler> = {
    'the socket closes inside the arguments': (response) =>
      sendStream(response, head + openAi.callPiece(args.slice(0, 30)), true),
    'the stream ends inside the arguments without a finish reason': (response) =>
      sendStream(response, head + openAi.callPiece(args.slice(0, 30)) + openAi.done),
    'the finish reason is length': (response) =>
      sendStream(
        response,
        head + openAi.callPiece(args.slice(0, 30)) + openAi.finish('length') + openAi.done,
      ),
    'the arguments are cut where they are valid JSON, and the socket closes': (response) =>
      sendStream(response, head + openAi.callPiece(args), true),
    'the arguments are valid JSON and no finish reason comes': (response) =>
      sendStream(response, head + openAi.callPiece(args) + openAi.done),
    'the arguments are valid JSON and the finish reason is length': (response) =>
      sendStream(response, head + openAi.callPiece(args) + openAi.finish('length')),
    'the finish reason is unknown': (response) =>
      sendStream(response, head + openAi.callPiece(args) + openAi.finish('whatever')),
    'the server reports an error in the stream': (response) =>
      sendStream(
        response,
        `${head}${openAi.callPiece(args)}data: {"error":{"message":"overloaded"}}\n\n`,
      ),
  };
  for (const [title, handle] of Object.entries(cases)) {
    it(`C58 executes nothing when ${title}`, async () => {
      const workspace = new MemoryWorkspace(original);
      const turn = await against(handle, { workspace });
      expect(workspace.text('a.txt')).toBe('orig\n');
      expect(workspace.log).toEqual([]);
      expect(turn.outcome).toMatchObject({ status: 'interrupted', sent: true });
      expect(turn.outcome.error?.message).not.toBe('');
      expect(turn.tools).toMatchObject([
        { state: 'interrupted', output: 'The call arrived incomplete and was not executed.' },
      ]);
      expect(turn.requests).toBe(1);
    });
  }

  it('C58 executes nothing of an Anthropic stream without block-stop and message-stop', async () => {
    for (const piece of [args, args.slice(0, 30)]) {
      const workspace = new MemoryWorkspace(original);
      const text = anthropic.start + anthropic.callStart('t', 'write') + anthropic.callPiece(piece);
      const turn = await against(
        (response) => sendStream(response, text),
        { workspace },
        'anthropic',
      );
      expect(turn.outcome.status).toBe('interrupted');
      expect(workspace.log).toEqual([]);
      await server?.stop();
    }
  });

  it('C58 executes nothing wherever a stream is cut, and never hangs', async () => {
    const whole =
      head +
      openAi.callPiece(args.slice(0, 20)) +
      openAi.callPiece(args.slice(20)) +
      openAi.finish('tool_calls');
    const last = whole.lastIndexOf('data:');
    for (let at = 0; at <= last; at += 23) {
      const workspace = new MemoryWorkspace(original);
      const turn = await against((response) => sendStream(response, whole.slice(0, at), true), {
        workspace,
        agent: { retryDelaysMs: [] },
      });
      expect(workspace.log).toEqual([]);
      expect(turn.outcome.status).not.toBe('done');
      await server?.stop();
    }
  });

  it('C60 tries again when the connection is lost before anything came', async () => {
    const turn = await against((response, index) => {
      if (index === 0) sendStream(response, ': hello\n\n', true);
      else if (index === 1) response.destroy();
      else if (index === 2) response.writeHead(529).end('{"error":{"message":"Overloaded"}}');
      else sendStream(response, openAi.say('here'));
    });
    expect(turn.outcome.status).toBe('done');
    expect(turn.text).toBe('here');
    expect(turn.waits).toHaveLength(3);
  });

  it('C60 keeps what a turn has done when a later call of the model fails, and doubles nothing', async () => {
    const workspace = new MemoryWorkspace({});
    const turn = await against(
      (response, index) => {
        if (index === 0) sendStream(response, openAi.call('c', 'write', { path: 'f', text: '1' }));
        else if (index < 3) response.writeHead(529).end('{}');
        else sendStream(response, openAi.call('c', 'write', { path: 'g', text: '1' }));
      },
      { workspace, agent: { maxSteps: 2, retryDelaysMs: [1, 1] } },
    );
    expect(workspace.log.filter((line) => !line.endsWith('begins'))).toEqual([
      'write f',
      'write g',
    ]);
    expect(turn.outcome).toMatchObject({ status: 'interrupted' });
    expect(turn.outcome.error?.message).toContain('after 2 calls');
    expect(turn.tools.map(({ callId }) => callId)).toEqual(['c', 'c_2']);
  });

  it('C60 stops waiting at once', async () => {
    const stop = new AbortController();
    const started = Date.now();
    const turn = await against(
      (response) => response.writeHead(503, { 'retry-after': '30' }).end(),
      {
        signal: stop.signal,
        onWaiting: () => stop.abort(),
      },
    );
    expect(turn.waits[0]).toContain('in 30 s');
    expect(turn.outcome).toEqual({ status: 'interrupted', sent: true });
    expect(Date.now() - started).toBeLessThan(2000);
  });
});

describe('odd streams', () => {
  it.each([
    ['CRLF line ends', openAi.say('all of it').replaceAll('\n', '\r\n')],
    [
      'comment lines as keep-alive',
      `: ping\n\n${openAi.say('all of it').replaceAll('\n\n', '\n\n: ping\n\n')}`,
    ],
    ['an empty data line', `data:\n\n${openAi.text('all ')}data: \n\n${openAi.say('of it')}`],
    [
      'a data line that holds a comment',
      openAi.text('all ') + 'data: : ping\n\n' + openAi.say('of it'),
    ],
    [
      'usage in a last chunk without choices',
      openAi.text('all of it') + openAi.finish('stop') + openAi.usage,
    ],
  ])('C61 understands %s', async (_, text) => {
    const turn = await against((response) => sendStream(response, text));
    expect(turn.text).toBe('all of it');
    expect(turn.outcome.status).toBe('done');
  });

  it('C61 understands an end by closing the socket after finish reason stop', async () => {
    const text = openAi.text('all of it') + openAi.finish('stop');
    const turn = await against((response) => sendStream(response, text, true));
    expect(turn.text).toBe('all of it');
    expect(turn.outcome.status).toBe('done');
  });

  it('C61 ends an empty answer with a clear error, and an answer of thoughts alone too', async () => {
    const empty = await against((response) =>
      sendStream(response, openAi.finish('stop') + openAi.done),
    );
    expect(empty.outcome).toMatchObject({ status: 'failed', sent: true });
    expect(empty.outcome.error?.message).toContain('empty answer');
    expect(empty.parts).toEqual([]);
    await server?.stop();
    const nothing = await against((response) => sendStream(response, openAi.done));
    expect(nothing.outcome.status).toBe('failed');
    expect(nothing.requests).toBe(1);
    await server?.stop();
    const thoughts = await against((response) =>
      sendStream(response, openAi.reasoning('hm') + openAi.finish('stop')),
    );
    expect(thoughts.outcome.error?.message).toContain('thought, but gave no answer');
  });

  it('C61 ends at the idle limit with what was received', async () => {
    const turn = await against(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(openAi.text('so far'));
      },
      { agent: { idleLimitMs: 150 } },
    );
    expect(turn.text).toBe('so far');
    expect(turn.outcome.status).toBe('interrupted');
    expect(turn.outcome.error?.message).toContain('Nothing came from the model');
    await server?.stop();
    const silent = await against(() => undefined, { agent: { idleLimitMs: 50 } });
    expect(silent.outcome.status).toBe('failed');
  });

  it('C61 keep-alives hold off the idle limit', async () => {
    const turn = await against(
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let i = 0; i < 9; i++) {
          response.write(': ping\n\n');
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        response.end(openAi.say('slow'));
      },
      { agent: { idleLimitMs: 800 } },
    );
    expect(turn.text).toBe('slow');
  });

  it('an error beside a finished answer is said', async () => {
    const turn = await against((response) =>
      sendStream(response, 'data: {"error":{"message":"no quota left"}}\n\n'),
    );
    expect(turn.outcome.error?.message).toBe('no quota left');
  });
});

describe('stop', () => {
  it('C59 ends promptly while text streams', async () => {
    const stop = new AbortController();
    const turn = await against(
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(openAi.text('one '));
      },
      { signal: stop.signal, onPart: () => stop.abort() },
    );
    expect(turn.outcome).toEqual({ status: 'interrupted', sent: true });
    expect(turn.text).toBe('one ');
  });

  it('C59 marks the call that runs and those that wait, and the next request is whole', async () => {
    const stop = new AbortController();
    const workspace = new MemoryWorkspace({});
    workspace.beforeWrite = async (path) => {
      if (path !== 'b') return;
      stop.abort();
      await new Promise(() => undefined);
    };
    const three = ['a', 'b', 'c'].map(
      (path, index) =>
        openAi.callStart(`c${index}`, 'write', index) +
        openAi.callPiece(JSON.stringify({ path, text: 'x' }), index),
    );
    const turn = await against(
      (response) => sendStream(response, three.join('') + openAi.finish('tool_calls')),
      { workspace, signal: stop.signal, agent: { settleMs: 20 } },
    );
    expect(turn.outcome.status).toBe('interrupted');
    expect(turn.tools.map(({ state }) => state)).toEqual(['done', 'interrupted', 'interrupted']);
    expect(turn.tools[1]?.output).toContain('may have had effects');
    expect(workspace.log).toEqual(['write a begins', 'write a', 'write b begins']);
  });

  it('C59 records a write that still ends after Stop as what it was', async () => {
    const stop = new AbortController();
    const workspace = new MemoryWorkspace({});
    workspace.beforeWrite = async () => {
      stop.abort();
      await new Promise((resolve) => setTimeout(resolve, 30));
    };
    const turn = await against(
      (response) => sendStream(response, openAi.call('c', 'write', { path: 'a', text: 'x' })),
      { workspace, signal: stop.signal },
    );
    expect(turn.tools).toMatchObject([{ state: 'done', output: 'Created a.' }]);
    expect(turn.outcome.status).toBe('interrupted');
  });

  it('sends nothing when stopped before it began', async () => {
    const turn = await against(() => undefined, { signal: AbortSignal.abort() });
    expect(turn.outcome).toEqual({ status: 'interrupted', sent: false });
    expect(turn.requests).toBe(0);
  });
});

describe('calls', () => {
  it('of one answer run one after the other, in order', async () => {
    const workspace = new MemoryWorkspace({});
    workspace.beforeWrite = (path) =>
      new Promise((done) => setTimeout(done, path === 'a' ? 40 : 0));
    const two = ['a', 'b'].map(
      (path, index) =>
        openAi.callStart(`c${index}`, 'write', index) +
        openAi.callPiece(JSON.stringify({ path, text: 'x' }), index),
    );
    await against(
      (response, index) =>
        sendStream(
          response,
          index === 0 ? two.join('') + openAi.finish('tool_calls') : openAi.say('ok'),
        ),
      { workspace },
    );
    expect(workspace.log).toEqual(['write a begins', 'write a', 'write b begins', 'write b']);
  });

  it('C69 an edit of a file that was not read on this branch is refused, as is what a person refuses', async () => {
    const workspace = new MemoryWorkspace({ f: '0\n' });
    workspace.denied.add('d');
    const calls =
      openAi.callStart('1', 'edit', 0) +
      openAi.callPiece('{"path":"f","old":"0","new":"1"}', 0) +
      openAi.callStart('2', 'write', 1) +
      openAi.callPiece('{"path":"d","text":""}', 1);
    const turn = await against(
      (response, index) =>
        sendStream(response, index === 0 ? calls + openAi.finish('tool_calls') : openAi.say('ok')),
      { workspace },
    );
    expect(turn.tools.map(({ state, output }) => [state, output])).toEqual([
      ['failed', 'f must be read first.'],
      ['denied', 'The user refused this.'],
    ]);
    expect(workspace.text('f')).toBe('0\n');
  });
});

describe('keys and addresses', () => {
  it('are sent to no other address: a redirect is refused and named', async () => {
    const other = await startServer((response) => sendStream(response, openAi.say('stolen')));
    const turn = await against((response) =>
      response.writeHead(307, { location: `${other.url}/v1/chat/completions` }).end(),
    );
    expect(turn.outcome).toMatchObject({ status: 'failed', sent: true });
    expect(turn.outcome.error?.message).toContain(other.url);
    expect(other.headers).toEqual([]);
    await other.stop();
  });

  it('a server that cannot be reached is named', async () => {
    const gone = await startServer(() => undefined);
    await gone.stop();
    const model: ModelConfig = {
      id: 'mine',
      provider: 'openai-compatible',
      baseUrl: `${gone.url}/v1`,
      model: 'm',
    };
    const turn = await runTurn('hi', { model });
    expect(turn.outcome).toMatchObject({ status: 'failed', sent: true });
    expect(turn.outcome.error?.message).toContain(
      `${gone.url}/v1/chat/completions cannot be reached`,
    );
    expect(turn.outcome.error?.message).toContain('ECONNREFUSED');
    expect(turn.waits).toHaveLength(3);
  });

  it.each<[string, Partial<ModelConfig>]>([
    ['no base URL', {}],
    ['not an http or https address', { baseUrl: 'file:///etc/passwd' }],
    ['no model name', { baseUrl: 'http://localhost/v1', model: ' ' }],
    ['This model kind is not available here; choose another model.', { provider: 'vscode-lm' }],
  ])('a configuration that cannot work sends nothing: %s', async (text, change) => {
    const model: ModelConfig = { id: 'x', provider: 'openai-compatible', model: 'm', ...change };
    const turn = await runTurn('', { model, history: [user('hi')] });
    expect(turn.outcome).toMatchObject({ status: 'failed', sent: false, error: { code: 'model' } });
    expect(turn.outcome.error?.message).toContain(text);
  });
});
