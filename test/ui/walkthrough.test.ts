import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

describe('the walkthrough', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('walkthrough', { files: {} });
  });
  afterEach(({ task }) => (task.result?.state === 'fail' ? desk.shot('failed') : undefined));
  afterAll(() => desk.close());

  test('opens from the palette, and its steps are ticked off as they are done', async () => {
    const { page, execute } = desk.workbench;
    await execute('retrace.getStarted');
    const step = (title: string) =>
      page.locator('.getting-started-step').filter({ hasText: title }).locator('.codicon').first();
    const done = (title: string) =>
      expect
        .poll(() => step(title).getAttribute('class'), { timeout: 15_000 })
        .toContain('step-checked');
    await page.getByText('Get Started with Retrace').first().waitFor();
    await page.getByText('Open the Chat', { exact: true }).click();
    await done('Open the chat');
    await page.getByText('Ask for a change').first().click();
    await desk.shot('1-steps');
    await page.getByText('Put an Example in the Composer').click();
    await expect.poll(() => desk.composer.inputValue()).toBe('create notes.md with # Notes');
    await desk.find('send').click();
    await desk.answered(1);
    await desk.settles({ 'notes.md': '# Notes' });
    await done('Ask for a change');
    await desk.find('user-message').first().hover();
    await desk.find('rewind').first().click();
    await desk.find('sheet-apply').click();
    await done('Go back');
    await desk.shot('2-done');
  });
});
