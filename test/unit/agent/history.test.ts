import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAttachments } from '../../../src/agent/attachments';
import { buildMessages, interruptedOutput } from '../../../src/agent/history';
import { pictureKey } from '../../../src/agent/images';
import { maxAttachmentBytes } from '../../../src/core/estimate';
import type { Attachment, GraphNode, Part, ToolPart } from '../../../src/core/node';
import { requestNodes } from '../../../src/core/requestNodes';
import { assistant, user } from './kit/turns';
import { expectStrict } from './kit/strict';

const model = 'openai-compatible  m';

function build(history: readonly GraphNode[], running: readonly Part[] = []) {
  return buildMessages({ nodes: requestNodes(history), attached: new Map(), running, model });
}

function call(callId: string, change: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'tool',
    callId,
    name: 'read',
    input: { path: 'a' },
    state: 'done',
    output: 'text',
    startedAt: 0,
    ...change,
  };
}

const text = (value: string, step?: number): Part => ({
  type: 'text',
  text: value,
  ...(step === undefined ? {} : { providerData: { from: model, step } }),
});

describe('history', () => {
  it('sends users and assistants in order, notices and file nodes never', () => {
    const nodes: GraphNode[] = [
      user('one'),
      assistant([text('two')]),
      { ...user('n'), role: 'notice', text: 'secret notice' },
      { ...assistant([]), role: 'files' },
      user('three'),
    ];
    expect(build(nodes)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'two' }] },
      { role: 'user', content: [{ type: 'text', text: 'three' }] },
    ]);
  });

  it('puts a summary where the nodes it covers stood', () => {
    const [a, b, c, d] = [user('a'), assistant([text('b')]), user('c'), assistant([text('d')])];
    const summary: GraphNode = { ...user(''), role: 'summary', text: 'S', covers: [a.id, b.id] };
    const again: GraphNode = {
      ...user(''),
      role: 'summary',
      text: 'T',
      covers: [summary.id, c.id, d.id],
    };
    expect(requestNodes([a, b, c, d, summary])).toEqual([summary, c, d]);
    expect(requestNodes([a, b, c, d, summary, again, user('e')]).map((node) => node.role)).toEqual([
      'summary',
      'user',
    ]);
  });

  it('C59 gives every call its result, interrupted ones without claiming that nothing happened', () => {
    const history = [
      user('go'),
      assistant([
        call('x'),
        call('y', { state: 'interrupted', output: '' }),
        call('z', { state: 'running', output: '' }),
      ]),
      user('go on'),
    ];
    const messages = build(history);
    expectStrict(messages);
    expect(messages[2]).toMatchObject({
      role: 'tool',
      content: [
        { toolCallId: 'x', output: { type: 'text', value: 'text' } },
        { toolCallId: 'y', output: { type: 'error-text', value: interruptedOutput } },
        { toolCallId: 'z', output: { type: 'error-text', value: interruptedOutput } },
      ],
    });
    expect(interruptedOutput).toContain('may have had effects');
  });

  it('C59 tells calls apart that a model gave the same id in two turns', () => {
    const history = [
      user('1'),
      assistant([call('x')]),
      user('2'),
      assistant([call('x')]),
      user('3'),
    ];
    const messages = build(history);
    expectStrict(messages);
    expect(messages[4]).toMatchObject({ content: [{ toolCallId: 'x_2' }] });
  });

  it('C58 leaves out calls that never arrived whole and answers those that were not JSON', () => {
    const messages = build([
      user('go'),
      assistant([
        call('cut', { input: '{"path":"a', state: 'interrupted' }),
        call('bad', { input: '{"path"', state: 'failed', output: 'not JSON' }),
      ]),
      user('on'),
    ]);
    expectStrict(messages);
    expect(messages[1]).toMatchObject({ content: [{ toolCallId: 'bad', input: {} }] });
    expect(messages[2]).toMatchObject({ content: [{ output: { value: 'not JSON' } }] });
    expect(
      build([user('go'), assistant([call('cut', { input: '', state: 'running' })])]),
    ).toHaveLength(1);
  });

  it('keeps the calls of one answer together and those of two apart', () => {
    const at = (step: number) => ({ providerData: { from: model, step } });
    const messages = build([
      user('go'),
      assistant([call('a', at(1)), call('b', at(1)), call('c', at(2)), text('end', 3)]),
    ]);
    expectStrict(messages);
    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 1],
      ['assistant', 2],
      ['tool', 2],
      ['assistant', 1],
      ['tool', 1],
      ['assistant', 1],
    ]);
  });

  it('hands signed thoughts back to the model that had them and to no other', () => {
    const signed = (from: string): Part => ({
      type: 'reasoning',
      text: 'hm',
      providerData: { from, step: 1, metadata: { anthropic: { signature: 's' } } },
    });
    const own = build([user('q'), assistant([signed(model), text('a', 1)])]);
    expect(own[1]).toMatchObject({
      content: [{ type: 'reasoning', providerOptions: { anthropic: { signature: 's' } } }, {}],
    });
    const others = build([user('q'), assistant([signed('other'), text('a', 1)])]);
    expect(others[1]?.content).toHaveLength(1);
  });

  it('leaves out empty answers and merges the messages around them', () => {
    const messages = build([user('one'), assistant([text(' \n')]), user('two'), assistant([])]);
    expectStrict(messages);
    expect(messages).toHaveLength(1);
  });

  it('property: whatever the nodes hold, the strictest server accepts the request', () => {
    const words = fc.constantFrom('', ' ', '\n', 'words');
    const anyInput = fc.oneof(
      fc.constant(undefined),
      fc.constant({ path: 'a' }),
      fc.constant({}),
      fc.string(),
      fc.constant([1]),
      fc.constant(null),
    );
    const data = fc.oneof(
      fc.constant({}),
      fc.record({
        providerData: fc.oneof(
          fc.anything(),
          fc.record({
            from: fc.constantFrom(model, 'other'),
            step: fc.integer({ min: 1, max: 3 }),
            metadata: fc.constantFrom({ x: { signature: 's' } }, {}),
          }),
        ),
      }),
    );
    const part: fc.Arbitrary<Part> = fc.oneof(
      fc.tuple(fc.constantFrom('text', 'reasoning'), words, data).map(([type, value, extra]) => ({
        type,
        text: value,
        ...extra,
      })),
      fc.constant<Part>({ type: 'todo', items: [{ text: 'x', done: false }] }),
      fc
        .tuple(
          fc.constantFrom('id', 'id_2', '', 'ö:1', 'x'.repeat(80)),
          fc.constantFrom('read', '', 'no such tool!'),
          anyInput,
          fc.constantFrom('running', 'done', 'failed', 'interrupted', 'denied'),
          words,
          data,
        )
        .map(([callId, name, input, state, output, extra]) => ({
          ...call(callId, { name, input, state, output }),
          ...extra,
        })),
    );
    const node: fc.Arbitrary<GraphNode> = fc.oneof(
      words.map((value) => user(value)),
      fc.array(part, { maxLength: 6 }).map((parts) => assistant(parts)),
      words.map((value): GraphNode => ({ ...user(value), role: 'notice', text: value })),
      fc.array(fc.integer({ min: 0, max: 9 })).map((covers): GraphNode => ({
        ...user(''),
        role: 'summary',
        text: 'sum',
        covers: covers.map((index) => `node${index}`),
      })),
    );
    fc.assert(
      fc.property(fc.array(node, { maxLength: 10 }), fc.array(part), (nodes, running) => {
        const history = nodes.map((item, index) => ({ ...item, id: `node${index}` }));
        const before = JSON.stringify(history);
        expectStrict(build(history, running));
        expect(JSON.stringify(history)).toBe(before);
      }),
      { numRuns: 500 },
    );
  });
});

describe('attachments', () => {
  async function sent(attachment: Attachment, bytes?: Uint8Array) {
    const nodes = requestNodes([user('look', [attachment])]);
    const attached = await readAttachments(nodes, async ({ uri }) =>
      bytes === undefined ? undefined : { kind: 'file', label: uri.replace('file:///', ''), bytes },
    );
    const [message] = buildMessages({ nodes, attached, running: [], model });
    return message?.content[0];
  }
  const file = { uri: 'file:///src/a.md' };
  const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

  it('puts files as fenced text named by their path, in front of the message', async () => {
    expect(await sent(file, bytesOf('# t\n```js\n```\n'))).toMatchObject({
      type: 'text',
      text: 'Attached file src/a.md:\n````\n# t\n```js\n```\n````',
    });
    expect(await sent({ name: 'n.txt', mime: 'text/plain', base64: btoa('hi') })).toMatchObject({
      text: 'Attached n.txt:\n```\nhi\n```',
    });
  });

  it('cuts long files at a character and says so', async () => {
    const long = bytesOf(`${'x'.repeat(maxAttachmentBytes - 1)}é and more`);
    const part = await sent(file, long);
    const value = typeof part === 'object' && part.type === 'text' ? part.text : '';
    expect(value).toContain(`[The file is cut here: it has ${long.length} bytes.]`);
    expect(value).not.toContain('�');
    expect(value.length).toBeLessThan(maxAttachmentBytes + 200);
  });

  it('sends images as images', async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4);
    expect(await sent(file, png)).toMatchObject({ type: 'image', mediaType: 'image/png' });
    expect(await sent({ name: 'p', mime: 'image/gif', base64: 'R0lG' })).toMatchObject({
      type: 'image',
      image: 'R0lG',
      mediaType: 'image/gif',
    });
  });

  it('tells a model that does not see of images in words', async () => {
    const nodes = requestNodes([
      user('look', [{ name: 'cat.png', mime: 'image/png', base64: 'R0lG' }]),
    ]);
    const attached = await readAttachments(nodes, async () => undefined, false);
    const [message] = buildMessages({ nodes, attached, running: [], model });
    expect(message?.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Attached image cat.png: left out') as string,
    });
  });

  it('shows an image that was read with its result, or after it where results hold text only', () => {
    const part: ToolPart = {
      type: 'tool',
      callId: 'c1',
      name: 'read',
      input: { path: 'a.png' },
      state: 'done',
      output: 'a.png is an image',
      startedAt: 7,
    };
    const images = new Map([[pictureKey(part), { base64: 'R0lG', mime: 'image/gif' }]]);
    const source = { nodes: requestNodes([user('look')]), attached: new Map(), model, images };
    const after = buildMessages({ ...source, running: [part] });
    expect(after.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(after.at(-1)?.content).toMatchObject([
      { type: 'text' },
      { type: 'image', image: 'R0lG', mediaType: 'image/gif' },
    ]);
    const within = buildMessages({ ...source, running: [part], imagesInResults: true });
    expect(within.at(-1)?.content).toMatchObject([
      {
        output: {
          type: 'content',
          value: [{ type: 'text' }, { type: 'image-data', data: 'R0lG', mediaType: 'image/gif' }],
        },
      },
    ]);
  });

  it('names the files of a folder, and what the user did not allow', async () => {
    const nodes = requestNodes([user('look', [{ uri: 'file:///src/' }, { uri: 'file:///etc/x' }])]);
    const attached = await readAttachments(nodes, async ({ uri }) =>
      uri.endsWith('/')
        ? { kind: 'folder', label: 'src', bytes: bytesOf('a.ts\nb/c.ts') }
        : 'refused',
    );
    const [message] = buildMessages({ nodes, attached, running: [], model });
    expect(message?.content).toMatchObject([
      { text: 'Attached folder src:\n```\na.ts\nb/c.ts\n```' },
      { text: '[Attached file file:///etc/x: the user did not allow to read it.]' },
      { text: 'look' },
    ]);
  });

  it('says what could not be sent', async () => {
    expect(await sent(file)).toMatchObject({
      text: '[Attached file file:///src/a.md: it can no longer be read.]',
    });
    expect(await sent(file, Uint8Array.of(0xff, 0))).toMatchObject({
      text: '[Attached file src/a.md: not text (2 bytes), left out.]',
    });
    expect(await sent({ name: 'n', mime: 'text/plain', base64: '!' })).toMatchObject({
      text: '[Attached n: it arrived damaged.]',
    });
  });
});
