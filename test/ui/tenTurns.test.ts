import { LLMock } from '@copilotkit/aimock';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { root } from '../kit/install.mts';
import { Desk } from './desk.mts';

const recording = z.array(
  z.object({
    user: z.string(),
    answers: z.array(
      z.union([
        z.object({
          calls: z.array(
            z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
          ),
        }),
        z.object({ text: z.string() }),
      ]),
    ),
  }),
);
type Recorded = z.infer<typeof recording>;

const request = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.unknown(),
      tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
      tool_call_id: z.string().optional(),
    }),
  ),
});

/** Answers each message of a recording as it was answered: the first time to the message, then to each call's result. */
function replay(mock: LLMock, turns: Recorded): void {
  turns.forEach(({ user, answers }, turn) => {
    let last: string | undefined;
    answers.forEach((answer, index) => {
      const match =
        last === undefined
          ? {
              userMessage: user,
              predicate: ({ messages }: { messages: readonly { role: string }[] }) =>
                messages.at(-1)?.role === 'user',
            }
          : { toolCallId: last };
      if ('text' in answer) {
        mock.on(match, { content: answer.text });
        return;
      }
      const toolCalls = answer.calls.map((call, n) => ({
        ...{ id: `call-${turn}-${index}-${n}`, name: call.name },
        arguments: JSON.stringify(call.arguments),
      }));
      last = toolCalls.at(-1)?.id;
      mock.on(match, { toolCalls });
    });
  });
}

/** Returns what is shown of a line of Markdown. */
function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1');
}

describe('a task of ten turns, as it was recorded', () => {
  const mock = new LLMock({ port: 0 });
  let desk: Desk;
  let turns: Recorded;
  const sample: Record<string, string> = {};
  beforeAll(async () => {
    turns = recording.parse(
      JSON.parse(await readFile(join(root, 'test/ui/recordings/till.json'), 'utf8')),
    );
    const till = join(root, 'samples', 'till');
    for (const entry of await readdir(till, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile()) sample[file.slice(till.length + 1)] = await readFile(file, 'utf8');
    }
    await mock.start();
    replay(mock, turns);
    const model = (id: string) => ({
      ...{ id, model: id, provider: 'openai-compatible', baseUrl: `${mock.url}/v1` },
    });
    desk = await Desk.open('ten-turns', {
      files: sample,
      settings: {
        'retrace.models': [model('first'), model('second')],
        'retrace.model': 'first',
        'retrace.approvals.command': 'allow',
        'retrace.sessions.modelTitles': false,
      },
    });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(async () => {
    await desk.close();
    await mock.stop();
  });

  const text = async (file: string): Promise<string> => (await desk.files())[file] ?? '';
  /** Waits for the end of a reply; what is far from it need not be drawn. */
  const ended = async (said: string): Promise<void> => {
    const last = desk.find('reply').last();
    await expect.poll(() => last.textContent(), { timeout: 20_000 }).toContain(said);
    await desk.find('stop').waitFor({ state: 'detached' });
  };
  const sent = () => mock.getRequests().map(({ body }) => request.parse(body));

  test('it is read, searched, run, mended and tested', async () => {
    for (const { user, answers } of turns.slice(0, 10)) {
      await desk.say(user);
      const end = answers.at(-1);
      const said = end && 'text' in end ? plain(end.text) : '';
      await ended(said);
    }
    await desk.shot('1-done');
    const files = await desk.files();
    expect(Object.keys(files).sort()).toEqual([...Object.keys(sample), 'CHANGES.md'].sort());
    expect(files['src/cart.js']).toContain('line.cents * line.quantity');
    expect(files['src/cart.js']).toContain('less(percent)');
    // The tests really ran: red at first, then green.
    const results = sent().flatMap(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? [String(messages.at(-1)?.content)] : [],
    );
    const runs = results.filter((result) => result.includes('# pass') || result.includes('pass '));
    expect(runs[0]).toMatch(/fail 1\b[^]*\[exit 1\]/u);
    expect(runs[1]).toMatch(/pass 3\b[^]*fail 0\b[^]*\[exit 0\]/u);
    expect(runs[2]).toMatch(/pass 4\b[^]*fail 0\b[^]*\[exit 0\]/u);
  });

  test('rewound half way, another model goes on with just what was said until then', async () => {
    const point = desk.find('user-message').filter({ hasText: 'Write down what was wrong.' });
    await desk.find('scroller').hover();
    await expect
      .poll(async () => {
        await desk.workbench.page.mouse.wheel(0, -150);
        return point.count();
      })
      .toBe(1);
    await point.scrollIntoViewIfNeeded();
    await point.hover();
    await point.getByTestId('rewind').click();
    await desk.find('sheet-apply').click();
    await ended('All three tests pass.');
    await expect.poll(() => text('src/cart.js')).not.toContain('less(percent)');
    expect(await text('src/cart.js')).toContain('line.cents * line.quantity');
    expect(Object.keys(await desk.files()).sort()).toEqual(Object.keys(sample).sort());

    await desk.find('model').click();
    await desk.find('model-menu').getByText('second').click();
    const before = sent().length;
    await desk.say(turns[10]?.user ?? '');
    await ended('It is in docs/fix.md.');
    await expect.poll(() => text('docs/fix.md')).toBe('The total forgot quantities.\n');
    await desk.shot('2-other-branch');
    const [first, second] = sent().slice(before);
    expect(first?.model).toBe('second');
    const users = (messages: typeof first): unknown[] =>
      messages?.messages.filter(({ role }) => role === 'user').map(({ content }) => content) ?? [];
    expect(users(first)).toEqual([...turns.slice(0, 5), turns[10]].map((turn) => turn?.user));
    expect(JSON.stringify(first)).not.toMatch(/NOTES\.md|discount|less\(/u);
    // What a strict server asks for: each call is answered, directly after it.
    for (const { messages } of [first, second].flatMap((one) => one ?? []))
      messages.forEach(({ tool_calls: calls = [] }, at) =>
        expect(
          messages.slice(at + 1, at + 1 + calls.length).map((one) => one.tool_call_id),
        ).toEqual(calls.map(({ id }) => id)),
      );
  });

  test('the first branch and its files are a switch away', async () => {
    const message = desk.find('user-message').filter({ hasText: 'docs/fix.md' });
    await message.hover();
    await desk.find('previous').last().click();
    await desk.find('sheet-apply').click();
    await ended('Done.');
    await expect
      .poll(async () => Object.keys(await desk.files()).sort())
      .toEqual([...Object.keys(sample), 'CHANGES.md'].sort());
    expect(await text('src/cart.js')).toContain('less(percent)');
  });
});
