import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAgent } from '../../../src/agent/main';
import type { ModelConfig } from '../../../src/engine/ports';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';
import { anthropic, openAi, sendStream, startServer, type Handler } from './kit/streamServer';

const key = 'sk-THEKEY-0123456789';
const read = 'CONTENT-THAT-WAS-READ';
const written = 'CONTENT-THAT-IS-WRITTEN';
const asked = 'What I asked, which is mine';
const drafts = { text: asked, attachments: [] };

/** What was printed anywhere, and by the log at its most talkative. */
let printed: string[];
beforeEach(() => {
  printed = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void printed.push(args.join(' ')));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Has the agent answer a message against a server, with everything around it as in the product, and returns what was logged. */
async function logged(
  handle: Handler,
  options: {
    readonly provider?: ModelConfig['provider'];
    readonly fault?: (call: string, uri: string) => boolean;
  } = {},
) {
  const server = await startServer(handle);
  const memory = newMemory();
  memory.workspace.put('f0/a.txt', `${read}\n`);
  try {
    const { provider = 'openai-compatible', fault } = options;
    const config = { id: 'm', provider, baseUrl: `${server.url}/v1`, model: 'm' } as const;
    const model = { config, apiKey: key };
    const agent = createAgent({ retryDelaysMs: [1, 1] });
    const { retrace, sessions, log } = await memoryEngine({ ...memory, agent, model }, {});
    const session = await sessions.create();
    memory.disk.fault = (_, call, uri) =>
      fault?.(call, uri) === true ? { code: 'no space' } : undefined;
    const outcome = await retrace.send(session, drafts).then(({ status }) => status, String);
    const move = { verb: 'rewind', messageId: session.state.nodes.keys().next().value ?? '' };
    await retrace.move(session, { ...move, verb: 'rewind', scope: 'both' }, 'keep').catch(String);
    await sessions.flush().catch(String);
    expect(server.headers[0]).toMatchObject(
      provider === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` },
    );
    // Without this the test would have shown nothing to keep quiet about.
    expect(server.bodies.join()).toContain(asked);
    return { outcome, session, lines: [...log.lines, ...printed].join('\n') };
  } finally {
    await server.stop();
  }
}

const says =
  (...answers: readonly string[]): Handler =>
  (response, index) =>
    sendStream(response, answers[index] ?? openAi.say('Done'));
const works = [
  openAi.call('c1', 'read', { path: 'a.txt' }),
  openAi.call('c2', 'write', { path: 'a.txt', text: written }),
] as const;
const refuses =
  (status: number, text: string): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  };

const cases: Readonly<Record<string, Parameters<typeof logged>>> = {
  'a turn that reads and writes': [says(...works)],
  'a call whose arguments are no JSON': [
    says(
      works[0],
      `${openAi.callStart('c', 'write')}${openAi.callPiece(`{"path": ${written}`)}${openAi.finish('tool_calls')}`,
    ),
  ],
  'a call of a tool that there is not': [says(openAi.call('c', 'nonsense', { text: written }))],
  'a call with arguments of another kind': [says(openAi.call('c', 'write', [written]))],
  'a server that echoes the key': [
    refuses(401, JSON.stringify({ error: { message: `Bad key ${key}` } })),
  ],
  'a server that fails and echoes everything': [
    refuses(500, `<html>${key} ${asked} ${read}</html>`),
  ],
  'a stream of something else': [
    (response) => sendStream(response, `data: {"no": "${key} ${read}"\n\n`),
  ],
  'a stream with an error in it': [
    (response) => sendStream(response, `data: {"error":{"message":"${key} ${written}"}}\n\n`),
  ],
  'an answer that is none': [
    (response) => sendStream(response, `data: {"choices": "${written} ${key}"}\n\n`),
  ],
  'a connection that breaks': [
    (response, index) =>
      index === 0 ? sendStream(response, works[1], true) : sendStream(response, openAi.say('Done')),
  ],
  'another wire': [
    (response) =>
      sendStream(
        response,
        anthropic.start + anthropic.callStart('t', 'write') + anthropic.callPiece(written),
      ),
    { provider: 'anthropic' },
  ],
  'a full disk': [
    says(...works),
    { fault: (call, uri) => call === 'write' && /ahead-/u.test(uri) },
  ],
  'a disk that takes nothing more': [
    says(...works),
    {
      fault: (call, uri) =>
        call === 'write' && !uri.includes('meta') && /records/u.test(uri) && uri.includes('000004'),
    },
  ],
};

describe('the log says nothing of keys, messages and contents', () => {
  test.each(Object.entries(cases))('after %s', async (_, [handle, options]) => {
    const { lines, session } = await logged(handle, options);
    for (const secret of [key, read, written, asked]) expect(lines).not.toContain(secret);
    const stored = JSON.stringify([...session.state.nodes.values()]);
    expect(stored).toContain(asked);
    expect(stored).not.toContain(key);
  });
});
