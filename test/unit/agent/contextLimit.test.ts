import { APICallError } from '@ai-sdk/provider';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from '../../../src/agent/main';
import { piecesOf } from '../../../src/agent/summarise';
import { tooLong } from '../../../src/agent/tooLong';
import type { ModelConfig } from '../../../src/engine/ports';
import type { ToolPart } from '../../../src/core/node';
import {
  openAi,
  sendStream,
  startServer,
  type Handler,
  type StreamServer,
} from './kit/streamServer';
import { assistant, runTurn, user } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

let server: StreamServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function serve(handle: Handler): Promise<StreamServer> {
  server = await startServer(handle);
  return server;
}

function called(output: string, callId = 'c'): ToolPart {
  return {
    type: 'tool',
    callId,
    name: 'read',
    input: { path: 'a' },
    state: 'done',
    output,
    startedAt: 0,
  };
}

const model = (url: string, more: Partial<ModelConfig> = {}): ModelConfig => ({
  id: 'm',
  provider: 'openai-compatible',
  baseUrl: `${url}/v1`,
  model: 'm',
  ...more,
});

describe('a request that was too long is recognised, with the numbers the server told', () => {
  it.each<[string, string, { limit?: number; tokens?: number }]>([
    [
      'OpenAI',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9,012 tokens.",
      { limit: 8192, tokens: 9012 },
    ],
    [
      'OpenRouter',
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens",
      { limit: 131_072, tokens: 140_000 },
    ],
    [
      'vLLM',
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
      { limit: 4096, tokens: 5000 },
    ],
    [
      'llama.cpp',
      'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
      { limit: 4096, tokens: 5000 },
    ],
    [
      'LM Studio',
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      { limit: 4096 },
    ],
    [
      'Anthropic',
      'prompt is too long: 208310 tokens > 200000 maximum',
      { limit: 200_000, tokens: 208_310 },
    ],
    [
      'Anthropic with its answer',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
      { limit: 200_000 },
    ],
    [
      'Gemini',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      { limit: 1_048_576, tokens: 1_200_000 },
    ],
    ['Ollama', 'the input length exceeds the context length', {}],
    [
      'Copilot',
      'prompt token count of 140000 exceeds the limit of 128000',
      { limit: 128_000, tokens: 140_000 },
    ],
    ['VS Code', 'Message exceeds token limit.', {}],
  ])('%s', (_, message, numbers) => {
    expect(tooLong(new Error(message))).toEqual(numbers);
    expect(tooLong({ message })).toEqual(numbers);
  });

  it('and nothing else is taken for it', () => {
    const call = { url: 'http://x', requestBodyValues: {} };
    for (const message of ['overloaded', 'invalid api key', 'max_tokens must be positive'])
      expect(tooLong(new Error(message))).toBeUndefined();
    const limited = new APICallError({
      ...call,
      message: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000',
      statusCode: 429,
    });
    expect(tooLong(limited)).toBeUndefined();
    expect(tooLong(new APICallError({ ...call, message: 'x', statusCode: 413 }))).toEqual({});
  });
});

describe('a conversation that is too long', () => {
  const refusal = JSON.stringify({
    error: {
      message:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 30000 tokens.",
      code: 'context_length_exceeded',
    },
  });

  it('is not sent where the window is known: the sizes are told', async () => {
    const { url, bodies } = await serve((response) => sendStream(response, openAi.say('ok')));
    const turn = await runTurn('x'.repeat(80_000), { model: model(url, { contextWindow: 8_000 }) });
    expect(bodies).toEqual([]);
    expect(turn.outcome).toMatchObject({
      status: 'failed',
      sent: false,
      error: { code: 'too_long', tooLong: { window: 8_000 } },
    });
    expect(turn.outcome.error?.message).toMatch(/about 2\d{4} tokens, [12]\d{3} of them for/u);
    expect(turn.outcome.error?.message).toContain('8000 tokens');
  });

  it('long outputs of tools are cut in the request only; instructions and tools stay', async () => {
    const { url, bodies } = await serve((response) => sendStream(response, openAi.say('ok')));
    const output = `begin ${'x'.repeat(60_000)} end`;
    const history = [user('read it'), assistant([called(output)]), user('and now?')];
    const turn = await runTurn('', { model: model(url, { contextWindow: 8_000 }), history });
    expect(turn.outcome.status).toBe('done');
    expect(bodies[0]?.length).toBeLessThan(32_000);
    expect(bodies[0]).toContain('begin xxx');
    expect(bodies[0]).toContain('characters are left out here');
    expect(bodies[0]).toContain('You are a test.');
    expect(bodies[0]).toContain('"multi_edit"');
    expect(JSON.stringify(history)).toContain(output);
  });

  it('refused by the server it is sent shorter if it can be, and the same is never sent twice', async () => {
    const { url, bodies } = await serve((response, index) =>
      index === 0
        ? response.writeHead(400, { 'content-type': 'application/json' }).end(refusal)
        : sendStream(response, openAi.say('ok')),
    );
    const history = [user('a'), assistant([called('x'.repeat(100_000))]), user('b')];
    const turn = await runTurn('', { model: model(url), history });
    expect(turn.outcome.status).toBe('done');
    expect(bodies).toHaveLength(2);
    expect(bodies[1]?.length).toBeLessThan((bodies[0]?.length ?? 0) / 2);
  });

  it('refused and not to be made shorter, it fails, and neither a regenerate nor "go on" sends it again', async () => {
    const { url, bodies } = await serve((response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(refusal),
    );
    const turn = await runTurn('x'.repeat(100_000), { model: model(url) });
    expect(bodies).toHaveLength(1);
    expect(turn.outcome).toMatchObject({ status: 'failed', error: { code: 'too_long' } });
    expect(turn.outcome.error?.message).toContain('maximum context length is 8192');
    const refusedTokens = turn.outcome.error?.tooLong?.tokens ?? 0;
    expect(refusedTokens).toBeGreaterThan(25_000);
    const again = await runTurn('x'.repeat(100_000), { model: model(url), refusedTokens });
    expect(again.outcome).toMatchObject({ sent: false, error: { code: 'too_long' } });
    expect(bodies).toHaveLength(1);
  });

  it('in the middle of a turn: what was done stays, and the next request is shorter', async () => {
    const workspace = new MemoryWorkspace({ big: 'y'.repeat(120_000) });
    const { url, bodies } = await serve((response, index) => {
      if (index < 2) sendStream(response, openAi.call(`${index}`, 'read', { path: 'big' }));
      else if (index === 2)
        response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
      else sendStream(response, openAi.say('ok'));
    });
    const turn = await runTurn('go', { model: model(url), workspace });
    expect(turn.outcome.status).toBe('done');
    expect(turn.tools.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(bodies[3]?.length).toBeLessThan(bodies[2]?.length ?? 0);
  });

  it('Anthropic and Ollama say it in their own ways', async () => {
    const { url, bodies } = await serve((response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          type: 'error',
          error: {
            type: 'invalid_request_error',
            message: 'prompt is too long: 208310 tokens > 200000 maximum',
          },
        }),
      ),
    );
    const claude = { ...model(url), provider: 'anthropic' } as const;
    const turn = await runTurn('x'.repeat(9_000), { model: claude, apiKey: 'k' });
    expect(turn.outcome.error?.code).toBe('too_long');
    const local = { ...model(url), provider: 'ollama', baseUrl: url } as const;
    const other = await runTurn('x'.repeat(9_000), { model: local });
    expect(other.outcome.error?.code).toBe('too_long');
    expect(bodies).toHaveLength(2);
  });
});

describe('a summary', () => {
  const request = z.object({ messages: z.array(z.object({ content: z.unknown() })) });

  it('is asked for without tools, in pieces that fit, and adds up what it took', async () => {
    const { url, bodies } = await serve((response, index) =>
      sendStream(
        response,
        openAi.text(`short ${index}`) + openAi.finish('stop') + openAi.usage + openAi.done,
      ),
    );
    const waits: (string | undefined)[] = [];
    const nodes = Array.from({ length: 8 }, (_, index) => [
      user(`question ${index} ${'q'.repeat(3_000)}`),
      assistant([called('o'.repeat(50_000)), { type: 'text', text: `answer ${index}` }]),
    ]).flat();
    const outcome = await createAgent({ retryDelaysMs: [] }).summarise({
      nodes,
      model: model(url, { contextWindow: 8_000 }),
      fetch: globalThis.fetch,
      signal: new AbortController().signal,
      waiting: (line) => waits.push(line),
    });
    expect(bodies.length).toBeGreaterThan(1);
    expect(outcome).toMatchObject({ text: `short ${bodies.length - 1}` });
    expect(outcome.usage).toMatchObject({ calls: bodies.length, inputTokens: 7 * bodies.length });
    for (const body of bodies) {
      expect(body.length).toBeLessThan(8_000 * 4);
      expect(body).not.toContain('"tools"');
    }
    const second = request.parse(JSON.parse(bodies[1] ?? ''));
    expect(JSON.stringify(second)).toContain('Summary so far:\\nshort 0');
    expect(waits[0]).toContain(`1 of ${bodies.length}`);
  });

  it('fails with the reason', async () => {
    const { url } = await serve((response) => response.writeHead(401).end());
    const outcome = await createAgent().summarise({
      nodes: [user('hi'), assistant([{ type: 'text', text: 'hello' }])],
      model: model(url),
      fetch: globalThis.fetch,
      signal: new AbortController().signal,
      waiting: () => undefined,
    });
    expect(outcome.text).toBeUndefined();
    expect(outcome.error?.message).toContain('401');
  });

  it('pieces hold everything and none is too long', () => {
    const texts = ['aaaa', 'b'.repeat(25), 'cc', ''];
    const pieces = piecesOf(texts, 10);
    expect(pieces.every((piece) => piece.length <= 10)).toBe(true);
    expect(pieces.join('').replaceAll('\n', '')).toBe(texts.join(''));
  });
});

describe('a long turn', () => {
  it('asks before it goes on, and ends when that is refused', async () => {
    const { url, bodies } = await serve((response, index) =>
      sendStream(response, openAi.call(`${index}`, 'list', {})),
    );
    const asked: number[] = [];
    const turn = await runTurn('go', {
      model: model(url),
      callLimit: 2,
      goOn: async (calls) => {
        asked.push(calls);
        return calls < 4;
      },
    });
    expect(asked).toEqual([2, 4]);
    expect(bodies).toHaveLength(4);
    expect(turn.outcome).toMatchObject({ status: 'interrupted' });
    expect(turn.outcome.error?.message).toContain('after 4 calls');
  });
});

describe('usage', () => {
  it('is priced as set, and as told where the server tells it', async () => {
    const usage = (more: object): string =>
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100, ...more } })}\n\n`;
    const { url } = await serve((response, index) =>
      sendStream(
        response,
        openAi.text('ok') +
          openAi.finish('stop') +
          usage(
            index === 0 ? { prompt_tokens_details: { cached_tokens: 400 } } : { cost: 0.0123 },
          ) +
          openAi.done,
      ),
    );
    const price = { input: 3, output: 15, cachedInput: 0.3 };
    const one = await runTurn('hi', { model: model(url, { price }) });
    expect(one.outcome.usage).toMatchObject({ inputTokens: 1000, cachedTokens: 400 });
    expect(one.outcome.usage?.cost).toBeCloseTo((600 * 3 + 400 * 0.3 + 100 * 15) / 1e6, 10);
    const two = await runTurn('hi', { model: model(url, { price }) });
    expect(two.outcome.usage?.cost).toBe(0.0123);
  });
});
