import { describe, expect, test } from 'vitest';
import { createAgent } from '../../../src/agent/main';
import { freeId, presets } from '../../../src/host/addModel/presets';
import { describeModel, serverModels } from '../../../src/host/addModel/serverModels';
import type { Server } from '../../../src/host/addModel/serverModels';
import { tryModel } from '../../../src/host/addModel/tryModel';
import { openAi } from '../agent/kit/streamServer';

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly redirect: string | undefined;
}

function fake(answer: (sent: Sent) => Response) {
  const sent: Sent[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    const headers = Object.fromEntries(new Headers(init?.headers));
    sent.push({ url, headers, redirect: init?.redirect });
    return answer({ url, headers, redirect: init?.redirect });
  };
  return { fetcher, sent };
}

const never = new AbortController().signal;
const own: Server = {
  provider: 'openai-compatible',
  baseUrl: 'http://localhost:8000/v1',
  key: undefined,
};

describe('the models a server offers', () => {
  test('are read as each kind of server tells them', async () => {
    const list = {
      data: [
        { id: 'a', context_length: 1000, supported_parameters: ['temperature'] },
        { id: 'b', max_model_len: 2000, supported_parameters: ['tools'] },
        { id: 'c', context_length: 'many' },
      ],
    };
    const { fetcher, sent } = fake(() => Response.json(list));
    expect(await serverModels(own, fetcher, never)).toEqual({
      kind: 'models',
      models: [
        { name: 'a', contextWindow: 1000, tools: false },
        { name: 'b', contextWindow: 2000, tools: true },
        { name: 'c' },
      ],
    });
    expect(sent).toEqual([
      { url: 'http://localhost:8000/v1/models', headers: {}, redirect: 'follow' },
    ]);
  });

  test('of Ollama come with their window and whether they take tools', async () => {
    const server: Server = { provider: 'ollama', baseUrl: 'http://h:1', key: undefined };
    const { fetcher } = fake(({ url }) =>
      url.endsWith('/api/tags')
        ? Response.json({ models: [{ name: 'gemma:2b' }] })
        : Response.json({
            capabilities: ['completion'],
            model_info: { 'gemma.context_length': 131_072 },
          }),
    );
    expect(await serverModels(server, fetcher, never)).toEqual({
      kind: 'models',
      models: [{ name: 'gemma:2b' }],
    });
    expect(await describeModel(server, { name: 'gemma:2b' }, fetcher, never)).toEqual({
      name: 'gemma:2b',
      contextWindow: 32_768,
      tools: false,
    });
  });

  test('are asked for with the key in the form of the provider, which no redirect takes along', async () => {
    const { fetcher, sent } = fake(() => Response.json({ data: [] }));
    await serverModels({ ...own, key: 'k' }, fetcher, never);
    await serverModels({ ...own, provider: 'anthropic', key: 'k' }, fetcher, never);
    expect(sent[0]).toMatchObject({ headers: { authorization: 'Bearer k' }, redirect: 'error' });
    expect(sent[1]).toMatchObject({ headers: { 'x-api-key': 'k' }, redirect: 'error' });
    expect(sent[1]?.headers).not.toHaveProperty('authorization');
  });

  test('a server that wants a key, has no list, or is not there', async () => {
    const answers = async (answer: () => Response) =>
      serverModels(own, fake(answer).fetcher, never);
    expect(await answers(() => new Response('', { status: 401 }))).toEqual({ kind: 'key' });
    expect(await answers(() => new Response('', { status: 404 }))).toMatchObject({ kind: 'none' });
    expect(await answers(() => new Response('<html>'))).toMatchObject({ kind: 'none' });
    const gone = await answers(() => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    });
    expect(gone).toEqual({
      kind: 'none',
      reason: 'http://localhost:8000/v1/models: connect ECONNREFUSED',
    });
  });
});

describe('adding a model', () => {
  test('gives ids that no other has', () => {
    expect(freeId('vendor/Some Model', new Set())).toBe('Some-Model');
    expect(freeId('m', new Set(['m', 'm-2']))).toBe('m-3');
    expect(freeId('//', new Set())).toBe('model');
    expect(new Set(presets.map(({ id }) => id)).size).toBe(presets.length);
  });

  test('a try ends at the first sign of an answer, and says what is wrong otherwise', async () => {
    const model = {
      id: 'm',
      provider: 'openai-compatible',
      model: 'm',
      baseUrl: own.baseUrl,
    } as const;
    const agent = createAgent({ retryDelaysMs: [] });
    const stream = { headers: { 'content-type': 'text/event-stream' } };
    const good = fake(() => new Response(openAi.say('OK'), stream));
    expect(await tryModel(agent, model, 'k', good.fetcher, never)).toBeUndefined();
    expect(good.sent).toHaveLength(1);
    const bad = fake(() => Response.json({ error: { message: 'no' } }, { status: 401 }));
    expect(await tryModel(agent, model, 'sk-x', bad.fetcher, never)).toContain(
      'refused the API key',
    );
    const empty = fake(() => new Response(openAi.say(''), stream));
    expect(await tryModel(agent, model, 'k', empty.fetcher, never)).toContain('empty answer');
  });
});
