import { describe, expect, it } from 'vitest';
import { createAgent } from '../../../src/agent/main';
import type { AgentOptions } from '../../../src/agent/main';
import type { ModelConfig } from '../../../src/engine/ports';
import type { OpenSession } from '../../../src/engine/openSession';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';
import type { Memory, Script } from '../../kit/memoryEngine';
import { MemoryBlobs } from '../../kit/memoryWorkspace';
import { anthropic, openAi } from './kit/streamServer';
import { anthropicRefusal, openAiRefusal } from './kit/strictWire';

const draft = (text: string) => ({ text, attachments: [] });

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** Answers in one wire format, and the server that refuses a history the strictest provider would. */
const formats = {
  'OpenAI form': {
    provider: 'openai-compatible',
    refusal: openAiRefusal,
    calls: (calls: readonly Call[]) =>
      calls
        .map(
          ({ id, name, input }, index) =>
            openAi.callStart(id, name, index) + openAi.callPiece(JSON.stringify(input), index),
        )
        .join('') + openAi.finish('tool_calls'),
    say: openAi.say,
  },
  'Anthropic form': {
    provider: 'anthropic',
    refusal: anthropicRefusal,
    calls: (calls: readonly Call[]) =>
      anthropic.start +
      calls
        .map(
          ({ id, name, input }, index) =>
            anthropic.callStart(id, name, index) +
            anthropic.callPiece(JSON.stringify(input), index) +
            anthropic.blockStop(index),
        )
        .join('') +
      anthropic.finish('tool_use'),
    say: (text: string) =>
      anthropic.start +
      anthropic.textStart() +
      anthropic.text(text) +
      anthropic.blockStop() +
      anthropic.finish('end_turn'),
  },
} as const;

type Format = (typeof formats)[keyof typeof formats];

/** What the server does with a request: an answer, or a status. */
type Reply = string | number;

/** The real agent in the real engine, over memory, against a scripted strict server. */
class Desk {
  readonly bodies: string[] = [];
  readonly waits: string[] = [];
  readonly refused: string[] = [];
  replies: Reply[] = [];

  constructor(
    readonly format: Format,
    readonly memory: Memory = newMemory(),
    private readonly options: AgentOptions = {},
  ) {}

  open(name = 'w') {
    const script: Script = (turn) => {
      const { sink } = turn;
      return createAgent({ retryDelaysMs: [1, 2, 4], settleMs: 0, ...this.options }).run({
        ...turn,
        model: this.model,
        fetch: this.fetch,
        sink: {
          setPart: (index, part) => sink.setPart(index, part),
          waiting: (text) => {
            if (text !== undefined) this.waits.push(text);
            sink.waiting(text);
          },
        },
      });
    };
    const texts = ['go', 'go on', 'again'];
    return memoryEngine(this.memory, Object.fromEntries(texts.map((text) => [text, script])), name);
  }

  private get model(): ModelConfig {
    const { provider } = this.format;
    return { id: 'm', provider, baseUrl: 'http://strict.test/v1', model: 'm' };
  }

  private readonly fetch: typeof globalThis.fetch = async (_, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    this.bodies.push(body);
    const why = this.format.refusal(body);
    if (why !== undefined) {
      this.refused.push(why);
      return Response.json({ error: { message: why } }, { status: 400 });
    }
    const reply = this.replies.shift() ?? this.format.say('ok');
    return typeof reply === 'number'
      ? Response.json({ error: { message: 'Overloaded' } }, { status: reply })
      : new Response(reply, { headers: { 'content-type': 'text/event-stream' } });
  };
}

/** Blobs that never arrive once they are held: whoever writes then hangs. */
class HeldBlobs extends MemoryBlobs {
  onHeld: (() => void) | undefined;

  override async put(bytes: Uint8Array): Promise<string> {
    if (this.onHeld !== undefined && new TextDecoder().decode(bytes) === 'held\n') {
      this.onHeld();
      await new Promise(() => undefined);
    }
    return super.put(bytes);
  }
}

function toolsOf(session: OpenSession) {
  return [...session.state.nodes.values()].flatMap((node) =>
    node.role === 'assistant' ? node.parts.filter((part) => part.type === 'tool') : [],
  );
}

const two: readonly Call[] = [
  { id: 'same', name: 'write', input: { path: 'a', text: 'one\n' } },
  { id: 'held', name: 'write', input: { path: 'held', text: 'x' } },
];

describe.each(Object.entries(formats))('%s', (_, format) => {
  function held() {
    const blobs = new HeldBlobs();
    const memory = { ...newMemory(), blobs };
    memory.workspace.put('f0/held', 'held\n');
    const desk = new Desk(format, memory);
    desk.replies = [
      format.calls([{ id: 'same', name: 'read', input: { path: 'held' } }]),
      format.calls(two),
    ];
    return { desk, blobs };
  }

  it('C59 stopped during the second call: the next request is accepted, and nothing stored is rewritten', async () => {
    const { desk, blobs } = held();
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    blobs.onHeld = () => void retrace.stop(session);
    const stopped = await retrace.send(session, draft('go'));
    expect(stopped.status).toBe('interrupted');
    expect(toolsOf(session).map(({ state }) => state)).toEqual(['done', 'done', 'interrupted']);
    const before = JSON.stringify(session.state.nodes.get(stopped.assistantMessageId ?? ''));
    const next = await retrace.send(session, draft('go on'));
    expect(next.status).toBe('done');
    expect(desk.refused).toEqual([]);
    const last = desk.bodies.at(-1) ?? '';
    expect(last).toContain('Created a.');
    expect(last).toContain('was interrupted. It may have had effects');
    expect(JSON.stringify(session.state.nodes.get(stopped.assistantMessageId ?? ''))).toBe(before);
  });

  it('C59 the host ended during the second call, and a fork made at the reply', async () => {
    const { desk, blobs } = held();
    const first = await desk.open();
    const session = await first.sessions.create();
    const reached = new Promise<void>((resolve) => (blobs.onHeld = resolve));
    void first.retrace.send(session, draft('go'));
    await reached;
    await first.sessions.flush();
    blobs.onHeld = undefined;
    const again = await desk.open('x');
    const reopened = await again.sessions.open(session.id);
    expect(toolsOf(reopened)).toHaveLength(3);
    expect(toolsOf(reopened).at(-1)?.state).toBe('interrupted');
    const fork = await again.retrace.fork(reopened, {});
    for (const each of [reopened, fork]) {
      const next = await again.retrace.send(each, draft('go on'));
      expect(next.status).toBe('done');
    }
    expect(desk.refused).toEqual([]);
    expect(desk.bodies.at(-1)).toContain('may have had effects');
  });

  it('C59 an id that the model uses again in a later turn', async () => {
    const desk = new Desk(format);
    const call = format.calls([{ id: 'same', name: 'list', input: {} }]);
    desk.replies = [call, format.say('once'), call, format.say('twice')];
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    await retrace.send(session, draft('go'));
    expect((await retrace.send(session, draft('again'))).status).toBe('done');
    expect(desk.refused).toEqual([]);
    expect(desk.bodies).toHaveLength(4);
  });

  it('C60 529 twice in mid-turn: the same turn goes on, and a rewind gives what was before it', async () => {
    const desk = new Desk(format);
    desk.memory.workspace.put('f0/f', '0\n');
    desk.memory.workspace.put('f0/g', '0\n');
    const write = (path: string) => [
      format.calls([{ id: `r${path}`, name: 'read', input: { path } }]),
      format.calls([{ id: `w${path}`, name: 'write', input: { path, text: '1\n' } }]),
    ];
    desk.replies = [...write('f'), 529, 529, ...write('g'), format.say('Both written.')];
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    const turn = await retrace.send(session, draft('go'));
    expect(turn.status).toBe('done');
    expect(desk.waits.map((line) => /\((\d) of 3\)/u.exec(line)?.[1])).toEqual(['1', '2']);
    const replies = [...session.state.nodes.values()].filter((node) => node.role === 'assistant');
    expect(replies).toHaveLength(1);
    expect(desk.memory.workspace.snapshot()).toMatchObject({ 'f0/f': '1\n', 'f0/g': '1\n' });
    const rewind = { verb: 'rewind', messageId: turn.userMessageId, scope: 'both' } as const;
    await retrace.move(session, rewind, 'keep');
    expect(desk.memory.workspace.snapshot()).toMatchObject({ 'f0/f': '0\n', 'f0/g': '0\n' });
  });

  it('C60 529 without end: marked failed after a few tries, what was done is kept, can go on and be rewound', async () => {
    const desk = new Desk(format);
    desk.memory.workspace.put('f0/f', '0\n');
    desk.replies = [
      format.calls([{ id: 'r', name: 'read', input: { path: 'f' } }]),
      format.calls([{ id: 'w', name: 'write', input: { path: 'f', text: '1\n' } }]),
      529,
      529,
      529,
      529,
    ];
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    const turn = await retrace.send(session, draft('go'));
    expect(turn).toMatchObject({ status: 'failed', error: { code: 'model' } });
    expect(desk.bodies).toHaveLength(6);
    expect(desk.memory.workspace.text('f0/f')).toBe('1\n');
    expect((await retrace.send(session, draft('go on'))).status).toBe('done');
    expect(desk.refused).toEqual([]);
    const rewind = { verb: 'rewind', messageId: turn.userMessageId, scope: 'both' } as const;
    await retrace.move(session, rewind, 'keep');
    expect(desk.memory.workspace.text('f0/f')).toBe('0\n');
  });

  it('C58 after a cut inside a call a new try writes once, and nothing is shown or sent twice', async () => {
    const desk = new Desk(format);
    desk.memory.workspace.put('f0/a.txt', 'orig\n');
    const read = format.calls([{ id: 'r', name: 'read', input: { path: 'a.txt' } }]);
    const write = format.calls([
      { id: 'w', name: 'write', input: { path: 'a.txt', text: 'line1\nline2\n' } },
    ]);
    desk.replies = [read, write.slice(0, write.indexOf('line2'))];
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    const turn = await retrace.send(session, draft('go'));
    expect(turn.status).toBe('interrupted');
    expect(desk.memory.workspace.text('f0/a.txt')).toBe('orig\n');
    desk.replies = [write, format.say('Written.')];
    const writes = desk.memory.workspace.writes.length;
    expect((await retrace.send(session, draft('go on'))).status).toBe('done');
    expect(desk.memory.workspace.text('f0/a.txt')).toBe('line1\nline2\n');
    expect(desk.memory.workspace.writes).toHaveLength(writes + 1);
    expect(desk.refused).toEqual([]);
    expect(desk.bodies.at(-2)).not.toContain('line1');
  });

  it('C61 an empty answer is never sent, and trying again works, and works again', async () => {
    const desk = new Desk(format);
    desk.replies = [format.say(''), format.say(''), format.say('at last')];
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    const empty = await retrace.send(session, draft('go'));
    expect(empty.status).toBe('failed');
    for (const status of ['failed', 'done']) {
      const request = {
        verb: 'regenerate',
        messageId: empty.userMessageId,
        scope: 'both',
      } as const;
      const { plan } = await retrace.move(session, request, 'keep');
      expect((await retrace.continueAfter(session, plan)).status).toBe(status);
    }
    expect((await retrace.send(session, draft('go on'))).status).toBe('done');
    expect(desk.refused).toEqual([]);
  });

  it('C69 after a rewind a request holds nothing of the abandoned turn, and its read counts for nothing', async () => {
    const desk = new Desk(format);
    desk.memory.workspace.put('f0/f', '0\n');
    const edit = { path: 'f', old: '1', new: '2' };
    desk.replies = [
      format.calls([{ id: 'r', name: 'read', input: { path: 'f' } }]),
      format.calls([{ id: 'w', name: 'write', input: { path: 'f', text: '1\n' } }]),
      format.say('It holds one now.'),
      format.calls([{ id: 'e', name: 'edit', input: edit }]),
      format.calls([{ id: 'v', name: 'write', input: { path: 'f', text: '3\n' } }]),
    ];
    const { retrace, sessions } = await desk.open();
    const session = await sessions.create();
    const turn = await retrace.send(session, draft('go'));
    const rewind = { verb: 'rewind', messageId: turn.userMessageId, scope: 'both' } as const;
    await retrace.move(session, rewind, 'keep');
    await retrace.send(session, draft('again'));
    const request = desk.bodies[3] ?? '';
    expect(request).toContain('again');
    for (const gone of ['It holds one now', 'Wrote', '"go"']) expect(request).not.toContain(gone);
    expect(desk.memory.workspace.text('f0/f')).toBe('0\n');
    const outputs = toolsOf(session).map(({ output }) => output);
    expect(outputs.at(-2)).toContain('not found');
    expect(outputs.at(-1)).toContain('has not been read on this branch');
  });
});
