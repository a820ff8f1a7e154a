import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelConfig } from '../../../src/engine/ports';
import { assistant, runTurn, user } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

const mock = new LLMock({ port: 0 });
let openAi: ModelConfig;
let anthropic: ModelConfig;

const message = z.looseObject({ role: z.string(), content: z.unknown() });
const request = z.looseObject({
  messages: z.array(message),
  model: z.string(),
  stream_options: z.unknown().optional(),
});

function journal() {
  return mock.getRequests().map(({ body, headers, path }) => ({
    path,
    headers,
    ...request.parse(body),
  }));
}

beforeAll(async () => {
  await mock.start();
  openAi = { id: 'oa', provider: 'openai-compatible', baseUrl: `${mock.url}/v1/`, model: 'gpt-x' };
  anthropic = { id: 'an', provider: 'anthropic', baseUrl: `${mock.url}/v1`, model: 'claude-x' };
});
afterAll(() => mock.stop());
beforeEach(() => {
  mock.reset();
});

describe('OpenAI-compatible, over the wire', () => {
  it('streams text, tells usage, and sends exactly the history', async () => {
    mock.onMessage('third', { content: 'Four, and some more words to stream.' });
    let sets = 0;
    const turn = await runTurn('', {
      model: openAi,
      apiKey: 'sk-secret',
      history: [
        user('first'),
        { ...assistant([]), role: 'notice', text: 'a notice' },
        assistant([{ type: 'text', text: 'second' }]),
        user('third'),
      ],
      onPart: () => sets++,
    });
    expect(turn.outcome).toEqual({ status: 'done', sent: true, usage: turn.outcome.usage });
    expect(turn.outcome.usage?.outputTokens).toBeGreaterThan(0);
    expect(turn.text).toBe('Four, and some more words to stream.');
    expect(sets).toBeGreaterThan(1);
    const [sent] = journal();
    expect(sent?.path).toBe('/v1/chat/completions');
    expect(sent?.model).toBe('gpt-x');
    expect(sent?.stream_options).toEqual({ include_usage: true });
    expect(sent?.messages).toEqual([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
    ]);
  });

  it('carries out calls and answers them directly after', async () => {
    mock.on(
      { userMessage: 'change', hasToolResult: false },
      {
        toolCalls: [
          { id: 'c1', name: 'read', arguments: '{"path":"a.txt"}' },
          { id: 'c2', name: 'edit', arguments: '{"path":"a.txt","old":"one","new":"two"}' },
        ],
      },
    );
    mock.on({ userMessage: 'change', hasToolResult: true }, { content: 'Changed.' });
    const workspace = new MemoryWorkspace({ 'a.txt': 'one\n' });
    const turn = await runTurn('change it', { model: openAi, workspace });
    expect(turn.outcome.status).toBe('done');
    expect(workspace.text('a.txt')).toBe('two\n');
    expect(turn.tools.map(({ name, state }) => [name, state])).toEqual([
      ['read', 'done'],
      ['edit', 'done'],
    ]);
    const [, second] = journal();
    expect(second?.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'change it' },
      {
        role: 'assistant',
        tool_calls: [
          { id: 'c1', function: { name: 'read', arguments: '{"path":"a.txt"}' } },
          { id: 'c2', function: { name: 'edit' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one\n' },
      { role: 'tool', tool_call_id: 'c2', content: 'Changed a.txt at line 1.' },
    ]);
    expect(second?.messages).toHaveLength(5);
  });

  it('does not execute unknown tools, malformed, duplicated or unfit arguments, and says so to the model', async () => {
    mock.on(
      { userMessage: 'go', hasToolResult: false },
      {
        toolCalls: [
          { id: 'c1', name: 'write', arguments: '{"path":"a","text":' },
          { id: 'c2', name: 'write', arguments: '{"path":"a","path":"b","text":"x"}' },
          { id: 'c3', name: 'write', arguments: '{"path":"a"}' },
          { id: 'c4', name: 'fly', arguments: '{}' },
          { id: 'c5', name: 'write', arguments: '[1]' },
          { id: 'c6', name: 'list', arguments: '{"path":null}' },
        ],
      },
    );
    mock.on({ userMessage: 'go', hasToolResult: true }, { content: 'ok' });
    const turn = await runTurn('go', { model: openAi });
    expect(turn.tools.map(({ state, output }) => [state, output])).toEqual([
      ['failed', 'The arguments are not valid JSON. Nothing was done.'],
      ['failed', 'The argument "path" was given twice. Nothing was done.'],
      ['failed', expect.stringContaining('do not fit: text')],
      ['failed', expect.stringContaining('There is no tool "fly"')],
      ['failed', 'The arguments are not a JSON object. Nothing was done.'],
      ['done', '(The folder is empty.)'],
    ]);
    expect(turn.workspace.files.size).toBe(0);
    expect(turn.outcome.status).toBe('done');
  });

  it('says that a key was refused, once, without showing it', async () => {
    mock.onMessage('hi', { error: { message: 'bad key sk-secret', type: 'auth' }, status: 401 });
    const turn = await runTurn('hi', { model: openAi, apiKey: 'sk-secret' });
    expect(turn.outcome).toMatchObject({ status: 'failed', sent: true, error: { code: 'model' } });
    expect(turn.outcome.error?.message).toContain('refused the API key (401)');
    expect(turn.outcome.error?.message).not.toContain('sk-secret');
    expect(mock.getRequests()).toHaveLength(1);
    expect(turn.waits).toEqual([]);
  });

  it('C60 waits and tries again when the server is busy', async () => {
    mock.onMessage('hi', { content: 'at last' });
    mock.nextRequestError(429, { message: 'slow down' });
    const turn = await runTurn('hi', { model: openAi });
    expect(turn.outcome.status).toBe('done');
    expect(turn.text).toBe('at last');
    expect(turn.waits).toHaveLength(1);
    expect(turn.waits[0]).toContain('(429)');
    expect(turn.waits[0]).toContain('Trying again in');
    const [first, second] = journal();
    expect(second?.messages).toEqual(first?.messages);
  });

  it('C60 gives up after a few tries and says what to do', async () => {
    mock.onMessage('hi', { error: { message: 'boom' }, status: 503 });
    const turn = await runTurn('hi', { model: openAi });
    expect(turn.outcome).toMatchObject({ status: 'failed', error: { code: 'model' } });
    expect(turn.outcome.error?.message).toMatch(/problem of its own \(503\).*boom/u);
    expect(mock.getRequests()).toHaveLength(4);
    expect(turn.waits).toHaveLength(3);
  });

  it('says how long a conversation is that does not fit, and asks once only', async () => {
    mock.onMessage('hi', { error: { message: 'maximum context length exceeded' }, status: 400 });
    const turn = await runTurn('hi', { model: { ...openAi, contextWindow: 8000 } });
    expect(turn.outcome.error?.message).toMatch(/too long.*about \d+ tokens.*has 8000/u);
    expect(mock.getRequests()).toHaveLength(1);
  });

  it('says that a model or address is not there', async () => {
    mock.onMessage('hi', { error: { message: 'no such model' }, status: 404 });
    const turn = await runTurn('hi', { model: openAi });
    expect(turn.outcome.error?.message).toContain('model name "gpt-x"');
  });

  it('C62 names the model that cannot use tools, after one request', async () => {
    mock.onMessage('hi', {
      error: { message: 'registry.ollama.ai/library/gemma does not support tools' },
      status: 400,
    });
    const turn = await runTurn('hi', {
      model: { id: 'o', provider: 'ollama', baseUrl: mock.url, model: 'gemma' },
    });
    expect(turn.outcome.error?.message).toContain('"gemma" cannot use tools');
    expect(journal().map(({ path }) => path)).toEqual(['/api/chat']);
  });
});

describe('Anthropic, over the wire', () => {
  it('streams text, calls and usage, and sends exactly the history', async () => {
    mock.on(
      { userMessage: 'change', hasToolResult: false },
      {
        content: 'I look.',
        usage: { input_tokens: 12, output_tokens: 4 },
        toolCalls: [{ id: 'toolu_1', name: 'read', arguments: '{"path":"a.txt"}' }],
      },
    );
    mock.on(
      { userMessage: 'change', hasToolResult: true },
      {
        content: 'It says one.',
        usage: { input_tokens: 20, output_tokens: 6 },
      },
    );
    const turn = await runTurn('change it', {
      model: anthropic,
      apiKey: 'sk-ant',
      workspace: new MemoryWorkspace({ 'a.txt': 'one' }),
    });
    expect(turn.outcome.error).toBeUndefined();
    expect(turn.text).toBe('I look.\nIt says one.');
    expect(turn.outcome.usage).toEqual({
      inputTokens: 32,
      outputTokens: 10,
      calls: 2,
      contextTokens: 26,
    });
    const raw = mock.getRequests();
    expect(raw.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages']);
    // The mock keeps its journal in the OpenAI form, whatever form came in.
    expect(journal()[1]?.messages.slice(1)).toMatchObject([
      { role: 'user', content: 'change it' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'toolu_1' }] },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'one' },
    ]);
  });

  it('wants a key before anything leaves the machine', async () => {
    const turn = await runTurn('hi', { model: { id: 'an', provider: 'anthropic', model: 'c' } });
    expect(turn.outcome).toMatchObject({ status: 'failed', sent: false });
    expect(turn.outcome.error?.message).toContain('needs an API key');
  });
});
