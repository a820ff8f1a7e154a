import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

/** Random text, which compressing makes little smaller: about 560 kB of copies. */
const noise = (): string =>
  Array.from({ length: 850_000 }, () => Math.floor(Math.random() * 36).toString(36)).join('');

describe('a full storage', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('storage', { files: {}, theme: 'Default Dark Modern' });
    for (const name of ['one.txt', 'two.txt', 'three.txt'])
      await writeFile(join(desk.folder, name), noise());
    await desk.workbench.execute('retrace-test.setting', 'retrace.storage.budget', 1);
  });
  afterEach(({ task }) => (task.result?.state === 'fail' ? desk.shot('failed') : undefined));
  afterAll(() => desk.close());

  const pick = () => desk.workbench.page.locator('.quick-input-widget');
  const row = (text: string) => pick().locator('.monaco-list-row').filter({ hasText: text });
  const there = async (): Promise<string[]> => Object.keys(await desk.files());
  const card = () => desk.find('approval');

  test('is made room in by mouse: cleaned up with what that costs, then doubled; the turn goes on by itself', async () => {
    const { page, execute } = desk.workbench;
    await desk.say('delete one.txt');
    await desk.answered(1);
    await execute('retrace.newSession');
    await desk.find('empty').waitFor();
    await desk.say('delete two.txt');
    await card().waitFor();
    await desk.shot('1-full');
    expect(await there()).toEqual(['three.txt', 'two.txt']);

    await card().getByText('Clean Up…').click();
    await row('delete one.txt').waitFor();
    await desk.shot('2-what');
    await row('delete one.txt').locator('input[type="checkbox"], .monaco-checkbox').first().click();
    await pick().getByText('OK', { exact: true }).click();
    await row('Free').waitFor();
    await desk.shot('3-costs');
    await row('Free').click();
    await desk.answered(1);
    await execute('notifications.showList');
    await page.locator('.notifications-center').getByText('were freed').waitFor();
    await desk.shot('4-freed');
    await execute('notifications.hideList');
    expect(await there()).toEqual(['three.txt']);

    await desk.say('delete three.txt');
    await card().waitFor();
    await card().getByText('Double the Budget').click();
    await desk.answered(2);
    expect(await there()).toEqual([]);
  });
});
