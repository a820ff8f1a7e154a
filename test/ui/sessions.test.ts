import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly archived: boolean;
}

describe('sessions', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('sessions', {
      files: { 'a.txt': 'alpha\n' },
      theme: 'Default Dark Modern',
    });
    const { execute } = desk.workbench;
    for (const [title, text] of [
      ['Rate limiter', 'say a token bucket for each route'],
      ['Cart totals', 'say cents times quantity'],
    ]) {
      const { sessionId } = await execute<{ sessionId: string }>('retrace.newSession', { title });
      await execute('retrace.send', { sessionId, text });
    }
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  const list = (archived = false): Promise<Listed[]> =>
    desk.workbench.execute('retrace.listSessions', { archived });
  const titles = async (): Promise<string[]> => (await list()).map(({ title }) => title);
  const row = (title: string): Locator =>
    desk.chat.locator('.session-row').filter({ has: desk.chat.getByText(title, { exact: true }) });
  const quickInput = (): Locator =>
    desk.workbench.page.locator('.quick-input-widget input[type="text"]');
  const action = async (title: string, name: string): Promise<void> => {
    await row(title).hover();
    await row(title).getByTestId(`session-${name}`).click();
  };

  test('the list finds a session by its title at once, and by what was said in it', async () => {
    await desk.find('sessions').click();
    const overlay = desk.find('sessions-overlay');
    await overlay.getByText('Today').waitFor();
    expect(await row('Cart totals').getByTestId('session').getAttribute('aria-current')).toBe(
      'true',
    );
    const filter = overlay.getByRole('textbox');
    await filter.fill('TOKEN bucket');
    await desk.find('session-excerpt').getByText('token bucket for each route').waitFor();
    expect(await desk.find('session').count()).toBe(1);
    await desk.shot('1-found');
    await filter.fill('nothing of that');
    await overlay.getByText('No session holds “nothing of that”.').waitFor();
    await filter.fill('');
    await row('Cart totals').waitFor();
  });

  test('rename asks in VS Code, and the title stays', async () => {
    await action('Rate limiter', 'rename');
    await quickInput().fill('Limits per route');
    await desk.shot('2-rename');
    await desk.press('Enter');
    await row('Limits per route').waitFor();
    expect(await titles()).toContain('Limits per route');
  });

  test('archive takes it off the list, and it can be put back', async () => {
    await action('Limits per route', 'archive');
    await desk.find('sessions-overlay').getByText('Archived').waitFor();
    expect(await titles()).not.toContain('Limits per route');
    await desk.shot('3-archived');
    await action('Limits per route', 'unarchive');
    await expect.poll(titles).toContain('Limits per route');
  });

  test('delete says what it holds, asks, and can be taken back', async () => {
    await action('Limits per route', 'delete');
    const quick = desk.workbench.page.locator('.quick-input-widget');
    await quick.getByText('2 messages').waitFor();
    await quick.getByText('Delete “Limits per route”?').waitFor();
    await desk.shot('4-delete');
    await desk.press('Escape');
    expect(await titles()).toContain('Limits per route');
    await action('Limits per route', 'delete');
    await quick.getByText('2 messages').waitFor();
    await desk.press('Enter');
    await row('Limits per route').waitFor({ state: 'detached' });
    expect(await titles()).not.toContain('Limits per route');
    await desk.shot('5-deleted');
    await desk.workbench.execute('notifications.showList');
    await desk.workbench.page.getByRole('button', { name: 'Take Back' }).click();
    await row('Limits per route').waitFor();
    await expect.poll(titles).toContain('Limits per route');
  });

  test('export asks for format and place, and what it wrote is imported again', async () => {
    if ((await desk.find('sessions-overlay').count()) === 0) await desk.find('sessions').click();
    await action('Cart totals', 'export');
    const quick = desk.workbench.page.locator('.quick-input-widget');
    await quick.getByText('JSON', { exact: true }).click();
    const place = join(desk.folder, 'cart.json');
    await expect.poll(() => quickInput().inputValue()).toContain('Cart-totals');
    await quickInput().fill(place);
    await desk.shot('6-export');
    await desk.press('Enter');
    await expect.poll(() => readFile(place, 'utf8').catch(() => '')).toContain('retrace-session');
    await desk.workbench.runFromPalette('Retrace: Import Session…');
    // The dialog puts its folder into the field when it has listed it.
    await quick.getByText(basename(place)).waitFor();
    await quickInput().fill(place);
    await desk.shot('7-import');
    await desk.press('Enter');
    await expect
      .poll(async () => (await titles()).filter((one) => one === 'Cart totals').length)
      .toBe(2);
    await desk.chat.getByText('cents times quantity', { exact: true }).last().waitFor();
  });

  test('a transcript of Claude Code is imported with its branches, as history to go on from', async () => {
    const line = (uuid: string, parentUuid: string | null, type: string, text: string): string =>
      JSON.stringify({
        ...{ type, uuid, parentUuid, timestamp: '2026-01-02T03:04:05.000Z' },
        message: { role: type, model: 'claude-x', content: [{ type: 'text', text }] },
      });
    const place = join(desk.folder, 'transcript.jsonl');
    const lines = [
      line('u1', null, 'user', 'Which way?'),
      line('a1', 'u1', 'assistant', 'The first way.'),
      line('a2', 'u1', 'assistant', 'The second way.'),
    ];
    await writeFile(place, lines.join('\n'));
    await desk.workbench.runFromPalette('Retrace: Import Session…');
    const quick = desk.workbench.page.locator('.quick-input-widget');
    // The dialog puts its folder into the field when it has listed it.
    await quick.getByText(basename(place)).waitFor();
    await quickInput().fill(place);
    await desk.press('Enter');
    await desk.find('reply').getByText('The second way.').waitFor();
    await desk.find('siblings').getByText('2 / 2').waitFor();
    await desk.shot('8-transcript');
    await desk.say('say and on we go');
    await desk.answered(2);
    await writeFile(place, `${lines[0]}\n{"type":"user", oops`);
    await desk.workbench.runFromPalette('Retrace: Import Session…');
    // The dialog puts its folder into the field when it has listed it.
    await quick.getByText(basename(place)).waitFor();
    await quickInput().fill(place);
    await desk.press('Enter');
    await desk.workbench.page.getByText('Line 2 is not JSON.').first().waitFor();
    await desk.shot('9-refused');
  });

  test('nothing was refused by the page’s policy', async () => {
    const log = await readFile('test-results/ui/sessions.log', 'utf8');
    expect(log.split('\n').filter((line) => /content security policy/iu.test(line))).toEqual([]);
  });
});
