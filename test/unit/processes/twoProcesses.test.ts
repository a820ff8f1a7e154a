import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildForNode } from '../../kit/buildForNode';
import type { Answer, Ask, Asked, Shown } from './protocol';

let worker = '';
beforeAll(async () => {
  worker = await buildForNode('test/unit/processes/window.ts');
});

/** A process that has the store open. */
class Window {
  readonly #child;
  readonly #ended: Promise<unknown>;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #ids = 0;
  #complaint = '';

  constructor(place: string) {
    this.#child = spawn(process.execPath, [worker, place]);
    this.#ended = once(this.#child, 'exit');
    this.#child.stderr.on('data', (data: Buffer) => (this.#complaint += data.toString()));
    createInterface(this.#child.stdout).on('line', (line) => {
      const answer = JSON.parse(line) as Answer;
      this.#waiting.get(answer.id)?.(answer);
    });
    void this.#ended.then(() => {
      for (const [id, give] of this.#waiting)
        give({ id, error: `the process ended: ${this.#complaint}` });
    });
  }

  async ask<T = unknown>(what: Ask): Promise<T> {
    const asked: Asked = { ...what, id: ++this.#ids };
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(asked.id, resolve);
      this.#child.stdin.write(`${JSON.stringify(asked)}\n`);
    });
    if ('error' in answer) throw new Error(answer.error);
    return answer.value as T;
  }

  create = (): Promise<string> => this.ask({ do: 'create' });
  send = (session: string, text: string) => this.ask<Sent>({ do: 'send', session, text });
  show = (session: string): Promise<Shown> => this.ask({ do: 'show', session });
  type = (session: string, text: string) => this.ask({ do: 'type', session, text });

  /** As a crash does: it has no time to say anything. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

interface Sent {
  readonly userMessageId: string;
  readonly assistantMessageId: string;
  readonly status: string;
}

describe('two processes on one store', () => {
  let place: string;
  let windows: Window[];
  const open = (): Window => {
    const window = new Window(place);
    windows.push(window);
    return window;
  };
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'retrace-two-'));
    await mkdir(join(place, 'work'));
    windows = [];
  });
  afterEach(async () => {
    for (const window of windows) await window.kill();
    await rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  test('at work at once lose no session, no message and no draft', async () => {
    const [a, b] = [open(), open()];
    const busy = async (window: Window, name: string): Promise<Map<string, string[]>> => {
      const made = new Map<string, string[]>();
      for (let n = 0; n < 5; n++) {
        const session = await window.create();
        await window.type(session, `draft ${session}`);
        const texts = [`${name}-${n}-0`, `${name}-${n}-1`];
        for (const text of texts) expect((await window.send(session, text)).status).toBe('done');
        made.set(session, texts);
      }
      return made;
    };
    const [byA, byB] = await Promise.all([busy(a, 'a'), busy(b, 'b')]);
    const later = open();
    const all = new Map([...byA, ...byB]);
    for (const window of [a, b, later])
      expect(new Set(await window.ask<string[]>({ do: 'list' }))).toEqual(new Set(all.keys()));
    for (const [session, texts] of all) {
      const { messages, draft } = await later.show(session);
      expect(messages.flatMap(({ text }) => text ?? [])).toEqual(texts);
      expect(messages.flatMap(({ status }) => status ?? [])).toEqual(['done', 'done']);
      expect(draft.draft.text).toBe(`draft ${session}`);
    }
  });

  test('that send to one session at once get siblings, or a refusal that says why', async () => {
    const [a, b] = [open(), open()];
    const session = await a.create();
    await a.send(session, 'first');
    await b.show(session);
    const kept = ['first'];
    for (let round = 0; round < 6; round++) {
      const { head } = await a.show(session);
      expect((await b.show(session)).head).toBe(head);
      const texts = [`a${round}`, `b${round}`];
      const sent = await Promise.allSettled([
        a.send(session, texts[0] ?? ''),
        b.send(session, texts[1] ?? ''),
      ]);
      sent.forEach((one, n) => {
        if (one.status === 'fulfilled') kept.push(texts[n] ?? '');
        else expect(String(one.reason)).toMatch(/Another window is at work in this session/u);
      });
      expect(sent.map(({ status }) => status)).toContain('fulfilled');
      const { messages } = await a.show(session);
      const users = messages.filter(({ text }) => texts.includes(text ?? ''));
      expect(new Set(users.map(({ parentId }) => parentId))).toEqual(new Set([head]));
    }
    const { messages } = await open().show(session);
    const texts = messages.flatMap(({ text }) => text ?? []);
    expect(texts.sort()).toEqual(kept.sort());
  });

  test('that both type keep both drafts', async () => {
    const [a, b] = [open(), open()];
    const session = await a.create();
    await b.show(session);
    await Promise.all([a.type(session, 'from a'), b.type(session, 'from b')]);
    // Whoever types on sees what the other one had typed.
    await a.type(session, 'from a, and more');
    await b.show(session);
    const { draft } = await open().show(session);
    const texts = JSON.stringify(draft);
    for (const text of ['from a, and more', 'from b']) expect(texts).toContain(text);
  });

  test('a process that was killed in a turn holds the session for a few seconds only', async () => {
    const [a, b] = [open(), open()];
    const session = await a.create();
    await a.send(session, 'first');
    await b.show(session);
    const hanging = a.send(session, 'hang').catch(() => undefined);
    const file = join(place, 'work', 'hang.txt');
    await expect
      .poll(
        () =>
          access(file).then(
            () => true,
            () => false,
          ),
        { timeout: 15_000 },
      )
      .toBe(true);
    await expect(b.send(session, 'early')).rejects.toThrow(/^run_active: Another window .* fork/u);
    await a.kill();
    await hanging;
    const sent = () => b.send(session, 'later').then(({ status }) => status, String);
    await expect.poll(sent, { timeout: 15_000 }).toBe('done');
    const { messages } = await open().show(session);
    expect(messages.map(({ text, status }) => text ?? status)).toEqual([
      ...['first', 'done', 'hang', 'interrupted', 'later', 'done'],
    ]);
  });

  test('a process that was killed while it changed files holds the session for a few seconds only', async () => {
    const [a, b] = [open(), open()];
    const session = await a.create();
    await a.send(session, 'first');
    await b.show(session);
    const holding = a.ask({ do: 'hold', session }).catch(() => undefined);
    // Its word is written before it begins; what it is asked next is answered after that.
    const refused = () => b.send(session, 'early').then(() => 'sent', String);
    await expect.poll(() => refused(), { timeout: 15_000 }).toMatch(/run_active/u);
    await a.kill();
    await holding;
    const sent = () => b.send(session, 'later').then(({ status }) => status, String);
    await expect.poll(sent, { timeout: 15_000 }).toBe('done');
  });
});
