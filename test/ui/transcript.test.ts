import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

describe('the conversation', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('transcript', {
      files: { 'other.txt': 'one\n' },
      theme: 'Default Dark Modern',
    });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  test('code of a reply goes into the editor, and is compared with it', async () => {
    const { page, execute } = desk.workbench;
    await desk.say('say ```js\\nconst one = 1;\\n```');
    await desk.answered(1);
    await execute('workbench.action.closeAllEditors');
    const act = (name: string) => desk.chat.locator(`[data-code-act="${name}"]`);
    await desk.find('reply').locator('.code').hover();
    await act('insert').click();
    await desk.find('line-error').getByText('Open a file in an editor first.').waitFor();
    await execute('workbench.action.quickOpen', 'other.txt');
    await page.locator('.quick-input-list').getByText('other.txt').first().waitFor();
    await desk.press('Enter');
    await page.locator('.editor-instance .view-line').getByText('one').waitFor();
    await act('insert').click();
    await page.locator('.editor-instance .view-line').getByText('const one = 1;').first().waitFor();
    await desk.shot('5-inserted');
    await act('compare').click();
    await page.locator('.tab').getByText('code of the reply').waitFor();
    await desk.shot('6-compared');
    await execute('workbench.action.closeActiveEditor');
    await execute('undo');
  });

  test('Ctrl+F in the chat looks in the conversation, and so does the palette', async () => {
    await desk.composer.focus();
    await desk.press('ControlOrMeta+f');
    const field = desk.chat.locator('#find');
    await field.fill('one');
    await desk.find('find-count').filter({ hasText: '2 of 2' }).waitFor();
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await desk.workbench.execute('retrace.find');
    await expect.poll(() => field.inputValue()).toBe('one');
    await desk.press('Escape');
    await expect.poll(() => desk.chat.locator('#composer:focus').count()).toBe(1);
  });
});
