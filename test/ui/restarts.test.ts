import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkbench } from '../kit/workbench.mts';
import { move, newSession, send, Windows, type Turn } from './windows.mts';

describe('cases that need a window more than once', () => {
  let windows: Windows;
  beforeEach(async () => {
    windows = await Windows.make();
  });
  afterEach(() => windows.remove());

  test('C06 an old session opened after a restart writes nothing over newer work', async () => {
    const first = await windows.start();
    const a = await newSession(first);
    await send(first, a, 'create hello.md with Hello World\\n');
    const b = await newSession(first);
    await send(first, b, 'write hello.md with Hello Anna\\n');
    for (const sessionId of [a, b, a]) await first.execute('retrace.openSession', { sessionId });
    expect(await windows.text('hello.md')).toBe('Hello Anna\n');
    await windows.quit();
    await appendFile(windows.file('hello.md'), 'tail\n');

    const second = await windows.start();
    await second.execute('retrace.chat.focus');
    await second.execute('retrace.openSession', { sessionId: a });
    await second.chat.getByTestId('reply').first().waitFor();
    expect(await windows.text('hello.md')).toBe('Hello Anna\ntail\n');
  });

  test('C12 no Git on the machine, a workspace never used before, its very first message', async () => {
    await windows.put('a.txt', '1\n');
    const window = await windows.start({ env: { PATH: windows.dataFolder } });
    const sessionId = await newSession(window);
    const turn = await send(window, sessionId, 'write a.txt with 2\\n');
    expect(await windows.text('a.txt')).toBe('2\n');
    const moved = await move(window, 'rewind', { sessionId, messageId: turn.userMessageId });
    expect(await windows.text('a.txt')).toBe('1\n');
    expect(moved.restoredPaths).toHaveLength(1);
  });

  test('C12 a single file open with no folder at all', async () => {
    await windows.put('a.txt', '1\n');
    const window = await openWorkbench({
      dataFolder: windows.dataFolder,
      consoleFile: 'test-results/ui/restarts.log',
      payload: [['openFile', windows.file('a.txt')]],
    });
    windows.open.push(window);
    await window.page.locator('.tab', { hasText: 'a.txt' }).waitFor();
    const sessionId = await newSession(window);
    const sent = send(window, sessionId, `write ${windows.file('a.txt')} with 2\\n`);
    const pending = () =>
      window.execute<{ approvalId: string }[]>('retrace.pendingApprovals', { sessionId });
    let done = false;
    void sent.finally(() => (done = true));
    await expect
      .poll(
        async () => {
          for (const { approvalId } of await pending())
            await window.execute('retrace.answerApproval', { approvalId, answer: 'once' });
          return done;
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    const turn = await sent;
    expect(turn.status).toBe('done');
    expect(await windows.text('a.txt')).toBe('2\n');
    await move(window, 'rewind', { sessionId, messageId: turn.userMessageId });
    expect(await windows.text('a.txt')).toBe('1\n');
  });

  test('C17 back and forth, with the window loaded anew between the rounds', async () => {
    await windows.put('f.txt', '0\n');
    const window = await windows.start();
    const sessionId = await newSession(window);
    const turns: Turn[] = [];
    for (const n of [1, 2, 3])
      turns.push(await send(window, sessionId, `write f.txt with ${n}\\n`));
    const f = () => windows.text('f.txt');
    const tip = { sessionId, messageId: turns[2]?.assistantMessageId };
    for (let round = 0; round < 5; round++) {
      await move(window, 'rewind', { sessionId, messageId: turns[1]?.userMessageId });
      expect(await f()).toBe('1\n');
      await move(window, 'checkout', tip);
      expect(await f()).toBe('3\n');
      await move(window, 'rewind', { sessionId, messageId: turns[0]?.userMessageId });
      expect(await f()).toBe('0\n');
      await move(window, 'checkout', tip);
      expect(await f()).toBe('3\n');
      await window.reload();
      await window.execute('retrace.openSession', { sessionId });
    }
    await move(window, 'undoMove', { sessionId });
    expect(await f()).toBe('0\n');
    await move(window, 'redoMove', { sessionId });
    expect(await f()).toBe('3\n');
  });

  test('C08 a second window on the same store takes nothing away', async () => {
    await windows.put('a.txt', 'a\n');
    await windows.put('b.txt', 'b\n');
    const first = await windows.start();
    const sessionId = await newSession(first);
    const turn = await send(first, sessionId, 'write a.txt with a1\\n\nwrite b.txt with b1\\n');
    const other = await windows.start({ server: first.server, browser: first.browser });
    await other.execute('retrace.chat.focus');
    await send(other, await newSession(other), 'say I was here');
    await move(other, 'rewind', { sessionId, messageId: turn.userMessageId });
    expect([await windows.text('a.txt'), await windows.text('b.txt')]).toEqual(['a\n', 'b\n']);
  });

  test('C08 an extension host that ends in the middle of a turn leaves every change with its way back', async () => {
    await windows.put('a.txt', 'a\n');
    await windows.put('b.txt', 'b\n');
    const window = await windows.start();
    const sessionId = await newSession(window);
    const text =
      'write a.txt with a1\\n\nwrite b.txt with b1\\n\nwait 60\nwrite a.txt with late\\n';
    void window.begin('retrace.send', { sessionId, text });
    await expect.poll(() => windows.text('b.txt'), { timeout: 15_000 }).toBe('b1\n');
    await windows.quit();

    const again = await windows.start();
    const { nodes } = await again.execute<{
      nodes: { id: string; role: string; status: string }[];
    }>('retrace.getSession', { sessionId });
    expect(nodes.map(({ role, status }) => [role, status])).toEqual([
      ['user', 'done'],
      ['assistant', 'interrupted'],
    ]);
    const moved = await move(again, 'rewind', { sessionId, messageId: nodes[0]?.id });
    expect(moved.files.map(({ outcome }) => outcome)).toEqual(['restored', 'restored']);
    expect([await windows.text('a.txt'), await windows.text('b.txt')]).toEqual(['a\n', 'b\n']);
  });

  test('sessions of a folder that was renamed are offered in its new place, and rewind there', async () => {
    await windows.put('a.txt', 'a\n');
    const window = await windows.start();
    const sessionId = await newSession(window);
    const turn = await send(window, sessionId, 'write a.txt with a1\\n');
    await windows.quit();
    await windows.rename();

    const again = await windows.start();
    await again.execute('retrace.chat.focus');
    const take = again.page.getByRole('button', { name: 'Take Over' });
    const offered = async (): Promise<number> => {
      await again.execute('notifications.showList');
      return take.count();
    };
    await expect.poll(offered, { timeout: 20_000 }).toBe(1);
    await again.page.screenshot({ path: 'test-results/ui/restarts-renamed.png' });
    await take.click();
    await again.chat.getByTestId('reply').first().waitFor();
    await move(again, 'rewind', { sessionId, messageId: turn.userMessageId });
    expect(await windows.text('a.txt')).toBe('a\n');
  });

  test('a move cut off in the middle is finished at the next start, which says what it left to its owner', async () => {
    const names = ['done.txt', 'open.txt', 'torn.txt', 'mine.txt'];
    for (const name of names) await windows.put(name, `${name} as it was\n`);
    const window = await windows.start();
    const sessionId = await newSession(window);
    const turn = await send(
      window,
      sessionId,
      names.map((name) => `write ${name} with ${name} by the agent\\n`).join('\n'),
    );
    await move(window, 'rewind', { sessionId, messageId: turn.userMessageId });
    await windows.quit();
    // What a host leaves that dies between its writes: the entry without its end, and files in between.
    await windows.forgetLastRecord(sessionId);
    await windows.put('open.txt', 'open.txt by the agent\n');
    await windows.put('torn.txt', 'torn.txt as');
    await windows.put('mine.txt', 'somebody’s work since\n');

    const again = await windows.start();
    await again.execute('retrace.chat.focus');
    await again.execute('retrace.openSession', { sessionId });
    const told = again.chat.getByTestId('lines');
    await told.getByText('has been finished, except for files changed since: mine.txt').waitFor();
    await told.getByText('Rewound 1 turn · 3 files restored, 1 failed').waitFor();
    await told.getByTestId('undo').waitFor();
    await told.getByTestId('retry-files').waitFor();
    expect(await Promise.all(names.map((name) => windows.text(name)))).toEqual([
      'done.txt as it was\n',
      'open.txt as it was\n',
      'torn.txt as it was\n',
      'somebody’s work since\n',
    ]);
    const session = await again.execute<{ headId: string | null; apart: string[] }>(
      'retrace.getSession',
      { sessionId },
    );
    expect(session.headId).toBeNull();
    expect(session.apart).toHaveLength(1);
    expect(session.apart[0]).toMatch(/mine\.txt$/u);
    await again.page.screenshot({ path: 'test-results/ui/restarts-cut-off.png' });
  });
});
