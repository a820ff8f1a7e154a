import { watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Workbench } from '../kit/workbench.mts';
import { move, newSession, send, Windows, type Turn } from './windows.mts';

interface StoredSession {
  readonly headId: string | null;
  readonly apart: readonly string[];
  readonly nodes: readonly {
    readonly id: string;
    readonly role: string;
    readonly text: string;
    readonly status: string;
  }[];
}

describe('an extension host that is killed', () => {
  let windows: Windows;
  let window: Workbench;
  let sessionId: string;
  let first: Turn;
  beforeAll(async () => {
    windows = await Windows.make();
    window = await windows.start();
  });
  afterAll(() => windows.remove());

  const begin = async (): Promise<void> => {
    sessionId = await newSession(window);
    first = await send(window, sessionId, 'say Hello');
  };
  const nextStart = async (): Promise<StoredSession> => {
    await window.reload();
    const session = await window.execute<StoredSession>('retrace.getSession', { sessionId });
    const ids = session.nodes.map(({ id }) => id);
    for (const id of [first.userMessageId, first.assistantMessageId]) expect(ids).toContain(id);
    if (session.headId !== null) expect(ids).toContain(session.headId);
    return session;
  };
  /** Resolves at the first sign that one of some files is written. */
  const written = (...names: readonly string[]): Promise<void> =>
    new Promise((resolve) => {
      const watcher = watch(windows.folder, (_, changed) => {
        if (changed === null || !names.includes(changed)) return;
        watcher.close();
        resolve();
      });
    });
  const works = async (): Promise<void> => {
    const turn = await send(window, sessionId, 'write works.txt with yes\\n');
    expect(turn.status).toBe('done');
    await move(window, 'rewind', { sessionId, messageId: turn.userMessageId });
    expect(await windows.text('works.txt')).toBeUndefined();
  };

  test('C47 C48 while a reply streams keeps what it said and changed', async () => {
    await begin();
    await windows.put('a.txt', 'a\n');
    const text = 'write a.txt with a1\\n\nsay Half of it\nwait 60\nwrite a.txt with late\\n';
    void window.begin('retrace.send', { sessionId, text });
    const onDisk = async (): Promise<boolean> => {
      const stored = windows.stored(sessionId);
      const names = await readdir(stored, { recursive: true });
      const live = names.filter((name) => /(?:live-|ahead-).*\.json$/u.test(name));
      const texts = await Promise.all(
        live.map((name) => readFile(join(stored, name), 'utf8').catch(() => '')),
      );
      return texts.some((one) => one.includes('Half of it'));
    };
    await expect.poll(onDisk, { timeout: 20_000 }).toBe(true);
    await window.killHost();

    const { nodes } = await nextStart();
    expect(nodes.slice(2).map(({ role, status }) => [role, status])).toEqual([
      ['user', 'done'],
      ['assistant', 'interrupted'],
    ]);
    expect(nodes[3]?.text).toContain('Half of it');
    expect(await windows.text('a.txt')).toBe('a1\n');
    await move(window, 'rewind', { sessionId, messageId: nodes[2]?.id });
    expect(await windows.text('a.txt')).toBe('a\n');
    await works();
  });

  test('C08 C47 between writing a file and recording it leaves a way back', async () => {
    await begin();
    const names = ['b.txt', 'c.txt', 'd.txt'];
    for (const name of names) await windows.put(name, `${name}\n`);
    const sign = written('b.txt');
    const text = names.map((name) => `write ${name} with ${name} by the agent\\n`).join('\n');
    void window.begin('retrace.send', { sessionId, text });
    await sign;
    await window.killHost();

    const { nodes } = await nextStart();
    for (const name of names)
      expect([`${name}\n`, `${name} by the agent\n`]).toContain(await windows.text(name));
    expect(nodes[2]?.text).toBe(text);
    await move(window, 'rewind', { sessionId, messageId: nodes[2]?.id });
    for (const name of names) expect(await windows.text(name)).toBe(`${name}\n`);
    await works();
  });

  test('C08 C47 in the middle of a move has it finished', async () => {
    await begin();
    const names = Array.from({ length: 12 }, (_, n) => `m${n}.txt`);
    for (const name of names) await windows.put(name, `${name}\n`);
    const text = names.map((name) => `write ${name} with ${name} by the agent\\n`).join('\n');
    const turn = await send(window, sessionId, text);
    const sign = written(...names);
    void window.begin('retrace.rewind', {
      ...{ sessionId, messageId: turn.userMessageId, confirm: false },
    });
    await sign;
    await window.killHost();

    const { headId, apart } = await nextStart();
    expect(headId).toBe(first.assistantMessageId);
    expect(apart).toEqual([]);
    for (const name of names) expect(await windows.text(name)).toBe(`${name}\n`);
    await works();
  });

  test.skipIf(process.platform === 'win32')(
    'C14 while a command runs has what it changed recorded',
    async () => {
      await begin();
      await windows.put('e.txt', 'e\n');
      const text = 'run rm e.txt; echo x > x.txt; echo > ready.txt; sleep 60';
      void window.begin('retrace.send', { sessionId, text });
      const asked = async (): Promise<string | undefined> => {
        const waiting = await window.execute<readonly { readonly approvalId: string }[]>(
          'retrace.pendingApprovals',
          { sessionId },
        );
        return waiting[0]?.approvalId;
      };
      await expect.poll(asked, { timeout: 20_000 }).toBeDefined();
      await window.execute('retrace.answerApproval', { approvalId: await asked(), answer: 'once' });
      await expect.poll(() => windows.text('ready.txt'), { timeout: 20_000 }).toBe('\n');
      await window.killHost();

      const { nodes } = await nextStart();
      expect(nodes[3]?.status).toBe('interrupted');
      expect(await windows.text('e.txt')).toBeUndefined();
      await move(window, 'rewind', { sessionId, messageId: nodes[2]?.id });
      expect(await windows.text('e.txt')).toBe('e\n');
      expect(await windows.text('x.txt')).toBeUndefined();
      await works();
    },
  );
});
