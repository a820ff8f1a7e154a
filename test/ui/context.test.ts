import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

describe('what is given to the agent', () => {
  let desk: Desk;
  const chip = (text: string) => desk.chat.locator('.composer li.chip', { hasText: text });
  beforeAll(async () => {
    desk = await Desk.open('context', {
      files: {
        'notes.txt': 'alpha\nbeta\n',
        'other.txt': 'one\n',
        'AGENTS.md': 'Be kind.\n',
        '.gitignore': 'secret.txt\n',
        'secret.txt': 's\n',
      },
      theme: 'Default Dark Modern',
    });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  test('a file is found after @, goes with the message, and comes back with a rewind', async () => {
    await desk.composer.click();
    await desk.composer.pressSequentially('say hello @note', { delay: 20 });
    await desk.find('mention-menu').getByText('notes.txt').waitFor();
    await desk.shot('1-mention');
    await desk.press('Enter');
    await chip('notes.txt').waitFor();
    expect(await desk.composer.inputValue()).toBe('say hello @notes.txt ');
    await desk.press('Enter');
    await desk.answered(1);
    await desk.find('user-message').locator('.chip', { hasText: 'notes.txt' }).waitFor();
    expect(await desk.chat.locator('.composer li.chip').count()).toBe(0);
    await desk.find('user-message').hover();
    await desk.find('rewind').click();
    await expect.poll(() => desk.composer.inputValue()).toBe('say hello @notes.txt ');
    await chip('notes.txt').waitFor();
  });

  test('the instructions of the project are shown as used, and open', async () => {
    await desk.find('instructions').getByText('AGENTS.md').click();
    await desk.workbench.page.locator('.tab').getByText('AGENTS.md').waitFor();
  });

  test('ignored files are not offered', async () => {
    await desk.composer.fill('');
    await desk.composer.pressSequentially('@txt', { delay: 20 });
    await desk.find('mention-menu').getByText('other.txt').waitFor();
    expect(await desk.find('mention-menu').getByText('secret.txt').count()).toBe(0);
    await desk.press('Escape');
    await desk.composer.fill('');
  });

  test('selected text is on offer, and one click attaches it', async () => {
    const { page } = desk.workbench;
    await desk.workbench.execute('workbench.action.quickOpen');
    await page.keyboard.type('notes.txt');
    await page.locator('.quick-input-list').getByText('notes.txt').first().waitFor();
    await desk.press('Enter');
    await page.locator('.editor-instance .view-line').first().click();
    await desk.press('ControlOrMeta+a');
    await desk.workbench.execute('retrace.chat.focus');
    await desk.find('offer').getByText('notes.txt:1-2').click();
    await chip('notes.txt:1-2').waitFor();
    await desk.find('offer').waitFor({ state: 'detached' });
    await desk.shot('2-selection');
  });

  test('a message sent while a reply is written waits for its end', async () => {
    await desk.composer.fill('wait 2');
    await desk.press('Enter');
    await desk.find('stop').waitFor();
    await desk.composer.fill('say next');
    await desk.composer.press('Enter');
    await desk.find('queued').getByText('say next').waitFor();
    await desk.shot('3-queued');
    await desk.answered(2);
    await desk.find('reply').last().getByText('next').waitFor();
    await desk.find('queued').waitFor({ state: 'detached' });
  });

  test('Add to Retrace Chat in the Explorer attaches the file', async () => {
    const { page } = desk.workbench;
    await desk.workbench.execute('workbench.view.explorer');
    await page.locator('.explorer-folders-view').getByText('other.txt').click({ button: 'right' });
    const entry = page.locator('.monaco-menu').getByText('Add to Retrace Chat');
    await entry.waitFor();
    // A menu takes no click in the moment it opens.
    await page.waitForTimeout(500);
    await entry.click();
    const names = async (): Promise<readonly string[]> => {
      const { draft } = await desk.workbench.execute<{
        draft: { attachments: readonly { uri?: string }[] };
      }>('retrace.getSession');
      return draft.attachments.flatMap(({ uri }) => uri?.slice(uri.lastIndexOf('/') + 1) ?? []);
    };
    await expect.poll(names, { timeout: 10_000 }).toContain('other.txt');
    await page.waitForTimeout(1_000);
    await desk.shot('4-explorer');
  });
});
