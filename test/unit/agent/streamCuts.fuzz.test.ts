import { describe, expect, it } from 'vitest';
import type { ModelConfig } from '../../../src/engine/ports';
import { anthropic, ollama, openAi } from './kit/streamServer';
import { anthropicRefusal, ollamaRefusal, openAiRefusal } from './kit/strictWire';
import type { Refusal } from './kit/strictWire';
import { assistant, runTurn, user } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

interface Format {
  readonly provider: ModelConfig['provider'];
  /** A recorded answer: a few words, then a write and another call. */
  readonly stream: string;
  /** What must have arrived whole before a call may be carried out. */
  readonly finish: string;
  readonly type: string;
  readonly say: string;
  readonly refusal: Refusal;
}

const text = 'line1\nline2 é 世界\n';
const input = { path: 'a.txt', text };
const pieces = (JSON.stringify(input).match(/.{1,9}/gsu) ?? []).map((piece) => piece);

const openAiFinish = openAi.finish('tool_calls');
const formats: Readonly<Record<string, Format>> = {
  'OpenAI-compatible': {
    provider: 'openai-compatible',
    stream: [
      openAi.reasoning('hm'),
      openAi.text('I write. '),
      openAi.callStart('c1', 'write'),
      ...pieces.map((piece) => openAi.callPiece(piece)),
      openAi.callStart('c2', 'list', 1),
      openAi.callPiece('{}', 1),
      openAiFinish,
      openAi.usage,
      openAi.done,
    ].join(''),
    finish: openAiFinish.trimEnd(),
    type: 'text/event-stream',
    say: openAi.say('ok'),
    refusal: openAiRefusal,
  },
  Anthropic: {
    provider: 'anthropic',
    stream: [
      anthropic.start,
      anthropic.textStart(),
      anthropic.text('I write. '),
      anthropic.blockStop(),
      anthropic.callStart('t1', 'write', 1),
      ...pieces.map((piece) => anthropic.callPiece(piece, 1)),
      anthropic.blockStop(1),
      anthropic.callStart('t2', 'list', 2),
      anthropic.callPiece('{}', 2),
      anthropic.blockStop(2),
      anthropic.finish('tool_use'),
    ].join(''),
    finish: '"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":9}}',
    type: 'text/event-stream',
    say:
      anthropic.start +
      anthropic.textStart() +
      anthropic.text('ok') +
      anthropic.blockStop() +
      anthropic.finish('end_turn'),
    refusal: anthropicRefusal,
  },
  Ollama: {
    provider: 'ollama',
    stream: [
      ollama.thinking('hm'),
      ollama.text('I write. '),
      ollama.call('write', input),
      ollama.call('list', {}),
      ollama.finish('stop'),
    ].join(''),
    finish: ollama.finish('stop').trimEnd(),
    type: 'application/x-ndjson',
    say: ollama.text('ok') + ollama.finish('stop'),
    refusal: ollamaRefusal,
  },
};

/** `npm run fuzz` cuts at every byte; each run of the tests at some, which are never the same twice in a row. */
const stride = process.env['FUZZ_RUNS'] === undefined ? 11 : 1;
const offset = Date.now() % stride;

type End = 'closes' | 'breaks' | 'falls silent';

function answer(chunks: readonly Uint8Array[], end: End, type: string): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (end === 'closes') controller.close();
      else if (end === 'breaks') controller.error(new TypeError('terminated'));
      else await new Promise(() => undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': type } });
}

/** Runs a turn whose first answer is what `chunks` hold, and a second turn after it, against a strict server. */
async function run(format: Format, chunks: readonly Uint8Array[], end: End, idleLimitMs = 2000) {
  const workspace = new MemoryWorkspace({});
  const refused: string[] = [];
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    const why = format.refusal(typeof init?.body === 'string' ? init.body : '');
    if (why !== undefined) refused.push(why);
    const first = requests++ === 0;
    return first
      ? answer(chunks, end, format.type)
      : answer([new TextEncoder().encode(format.say)], 'closes', format.type);
  };
  const model: ModelConfig = {
    id: 'm',
    provider: format.provider,
    baseUrl: 'http://strict.test/v1',
    model: 'm',
  };
  const setup = { model, fetch, workspace, agent: { retryDelaysMs: [], idleLimitMs } };
  const asked = user('go');
  const turn = await runTurn('', { ...setup, history: [asked] });
  const went = workspace.log.filter((line) => !line.endsWith('begins'));
  const later = await runTurn('', {
    ...setup,
    history: [asked, assistant(turn.parts), user('go on')],
  });
  return { turn, workspace, went, later, refused };
}

describe.each(Object.entries(formats))('%s', (_, format) => {
  const bytes = new TextEncoder().encode(format.stream);
  const finishAt = new TextEncoder().encode(
    format.stream.slice(0, format.stream.indexOf(format.finish) + format.finish.length),
  ).length;

  it('C58 cut at any byte: no partial call is executed, and the session goes on', async () => {
    expect(finishAt).toBeGreaterThan(100);
    for (let at = offset; at <= bytes.length; at += stride) {
      const end = at % 2 === 0 ? 'closes' : 'breaks';
      const { turn, workspace, went, later, refused } = await run(
        format,
        [bytes.slice(0, at)],
        end,
      );
      const where = `cut at ${at}, then it ${end}`;
      if (went.length > 0) {
        expect(at, where).toBeGreaterThanOrEqual(finishAt);
        expect(went, where).toEqual(['write a.txt', 'list ']);
        expect(workspace.text('a.txt'), where).toBe(text);
        expect(turn.outcome.status, where).toBe('done');
      } else {
        expect(turn.outcome.status, where).not.toBe('done');
        expect(turn.outcome.error?.message, where).not.toContain('Nothing came from the model');
        expect(
          turn.tools.every(({ state }) => state === 'interrupted'),
          where,
        ).toBe(true);
      }
      expect(later.outcome.status, where).toBe('done');
      expect(refused, where).toEqual([]);
    }
    const whole = await run(format, [bytes], 'closes');
    expect(whole.went).toEqual(['write a.txt', 'list ']);
  }, 60_000);

  it('C61 in two pieces, parted at any byte: carried out once, and the text is whole', async () => {
    for (let at = offset; at <= bytes.length; at += 2 * stride) {
      const { turn, went } = await run(format, [bytes.slice(0, at), bytes.slice(at)], 'closes');
      expect(went, `parted at ${at}`).toEqual(['write a.txt', 'list ']);
      expect(turn.text, `parted at ${at}`).toBe('I write. \nok');
    }
  }, 60_000);

  it('C61 silent after any byte: it ends at the idle limit, and the session goes on', async () => {
    const apart = 3 * stride;
    const places = Array.from({ length: Math.floor(finishAt / apart) }, (_, n) => n * apart);
    const runs = await Promise.all(
      places.map((at) => run(format, [bytes.slice(0, at)], 'falls silent', 400)),
    );
    for (const [index, { turn, went, later, refused }] of runs.entries()) {
      const where = `silent after ${places[index] ?? 0}`;
      expect(went, where).toEqual([]);
      expect(turn.outcome.error?.message, where).toContain('Nothing came from the model');
      expect(later.outcome.status, where).toBe('done');
      expect(refused, where).toEqual([]);
    }
  }, 60_000);
});
