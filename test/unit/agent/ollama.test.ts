import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelConfig } from '../../../src/engine/ports';
import { ollama, sendStream, startServer } from './kit/streamServer';
import type { Handler, StreamServer } from './kit/streamServer';
import { assistant, runTurn, user } from './kit/turns';
import type { TurnSetup } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

let server: StreamServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const body = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
  tools: z.unknown().optional(),
  think: z.unknown().optional(),
  options: z.record(z.string(), z.unknown()),
});

async function against(
  handle: Handler,
  { config = {}, ...setup }: TurnSetup & { readonly config?: Partial<ModelConfig> } = {},
) {
  const started = await startServer(handle);
  server = started;
  const model: ModelConfig = {
    id: 'o',
    provider: 'ollama',
    baseUrl: started.url,
    model: 'gemma',
    ...config,
  };
  const turn = await runTurn('go', { model, ...setup });
  return { ...turn, sent: started.bodies.map((text) => body.parse(JSON.parse(text))) };
}

describe('Ollama, over the wire', () => {
  it('streams, calls tools and answers them, against a mock nobody here wrote', async () => {
    const mock = new LLMock({ port: 0 });
    await mock.start();
    mock.on(
      { userMessage: 'change', hasToolResult: false },
      { toolCalls: [{ name: 'read', arguments: '{"path":"a.txt"}' }] },
    );
    mock.on({ userMessage: 'change', hasToolResult: true }, { content: 'It says one.' });
    const turn = await runTurn('change it', {
      model: { id: 'o', provider: 'ollama', baseUrl: mock.url, model: 'llama' },
      workspace: new MemoryWorkspace({ 'a.txt': 'one' }),
    });
    expect(turn.outcome.status).toBe('done');
    expect(turn.text).toBe('It says one.');
    expect(turn.tools).toMatchObject([{ name: 'read', state: 'done', output: 'one' }]);
    expect(mock.getRequests().map(({ path }) => path)).toEqual(['/api/chat', '/api/chat']);
    await mock.stop();
  });

  it('sends the context length, the longest answer and the effort, and tells usage', async () => {
    const turn = await against(
      (response) => sendStream(response, ollama.text('hi') + ollama.finish('stop')),
      { config: { contextWindow: 32_768, maxOutputTokens: 99, reasoningEffort: 'low' } },
    );
    expect(turn.outcome).toEqual({
      status: 'done',
      sent: true,
      usage: { inputTokens: 11, outputTokens: 4, calls: 1, contextTokens: 15 },
    });
    expect(turn.sent).toMatchObject([
      { think: 'low', stream: true, options: { num_ctx: 32_768, num_predict: 99 } },
    ]);
  });

  it('sends images, thoughts of the running turn, calls and their results in its own form', async () => {
    const turn = await against(
      (response, index) =>
        sendStream(
          response,
          index === 0
            ? ollama.thinking('hm') + ollama.call('list', {}) + ollama.finish('stop')
            : ollama.text('done') + ollama.finish('stop'),
        ),
      {
        history: [user('look', [{ name: 'p.png', mime: 'image/png', base64: 'aGk=' }])],
      },
    );
    expect(turn.outcome.status).toBe('done');
    expect(turn.sent[1]?.messages.slice(1)).toEqual([
      { role: 'user', content: 'look', images: ['aGk='] },
      {
        role: 'assistant',
        content: '',
        thinking: 'hm',
        tool_calls: [{ function: { name: 'list', arguments: {} } }],
      },
      { role: 'tool', content: '(The folder is empty.)', tool_name: 'list' },
    ]);
  });

  it('C62 a model without tools is named with the ways out, after one request', async () => {
    let told = 0;
    const turn = await against(
      (response) =>
        response.writeHead(400).end('{"error":"registry.ollama.ai/gemma does not support tools"}'),
      { agent: { onNoTools: () => told++ } },
    );
    expect(turn.outcome).toMatchObject({ status: 'failed', error: { code: 'model' } });
    expect(turn.outcome.error?.message).toContain('"gemma" cannot use tools');
    expect(turn.outcome.error?.message).toContain('Choose another model');
    expect(turn.outcome.error?.message).toContain('chat without tools');
    expect(turn.sent).toHaveLength(1);
    expect(told).toBe(1);
  });

  it('C62 without tools the request has no tools field, tells earlier calls in words, and works', async () => {
    const history = [
      user('look'),
      assistant([
        {
          type: 'tool',
          callId: 'c1',
          name: 'read',
          input: { path: 'a' },
          state: 'done',
          output: 'one',
          startedAt: 0,
        },
        { type: 'text', text: 'It says one.' },
      ]),
      user('and now?'),
    ];
    const printed = '{"name":"write","arguments":{"path":"a","text":"x"}}';
    const turn = await against(
      (response) => sendStream(response, ollama.text(printed) + ollama.finish('stop')),
      { history, config: { tools: false } },
    );
    expect(turn.outcome.status).toBe('done');
    expect(turn.text).toBe(printed);
    expect(turn.workspace.log).toEqual([]);
    const [sent] = turn.sent;
    expect(sent).not.toHaveProperty('tools');
    expect(sent?.messages[0]?.content).toContain('You have no tools');
    expect(sent?.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'look'],
      ['assistant', '(The tool read was called. {"path":"a"})'],
      ['user', 'Result of read:\none'],
      ['assistant', 'It says one.'],
      ['user', 'and now?'],
    ]);
  });

  it('C58 C61 odd lines: blank ones are skipped, an error is said, a cut executes nothing', async () => {
    const blank = await against((response) =>
      sendStream(
        response,
        `\r\n\n${ollama.text('all ')}\n${ollama.text('of it')}${ollama.finish('stop')}`,
      ),
    );
    expect(blank.text).toBe('all of it');
    await server?.stop();
    const error = await against((response) =>
      sendStream(response, `${ollama.text('so far')}{"error":"out of memory"}\n`),
    );
    expect(error.outcome).toMatchObject({
      status: 'interrupted',
      error: { message: 'out of memory' },
    });
    await server?.stop();
    const workspace = new MemoryWorkspace({});
    const cut = await against(
      (response) => sendStream(response, ollama.call('write', { path: 'a', text: 'x' }), true),
      { workspace },
    );
    expect(cut.outcome.status).toBe('interrupted');
    expect(workspace.log).toEqual([]);
  });

  it('a server that cannot be reached is named, after the usual tries', async () => {
    const gone = await startServer(() => undefined);
    await gone.stop();
    const model: ModelConfig = { id: 'o', provider: 'ollama', baseUrl: gone.url, model: 'm' };
    const turn = await runTurn('hi', { model });
    expect(turn.outcome.error?.message).toContain(`${gone.url}/api/chat cannot be reached`);
    expect(turn.waits).toHaveLength(3);
  });
});
