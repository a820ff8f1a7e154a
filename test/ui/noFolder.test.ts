import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkbench, type Workbench } from '../kit/workbench.mts';

describe('a window without a folder', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ consoleFile: 'test-results/ui/noFolder.log' });
    await workbench.execute('retrace.chat.focus');
  });
  afterAll(() => workbench.close());

  test('says so in place of things to try, and lets one be chosen', async () => {
    const open = workbench.chat.getByTestId('open-folder');
    await open.waitFor();
    await workbench.page.screenshot({ path: 'test-results/ui/noFolder-1.png' });
    expect(await workbench.chat.getByText('Create a file').count()).toBe(0);
    await open.click();
    await workbench.page.locator('.quick-input-widget').getByText('Open Folder').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  test('answers, and says of each file that there is none', async () => {
    const turn = await workbench.execute<{ status: string }>('retrace.send', {
      text: 'create a.txt with a',
    });
    expect(turn.status).toBe('done');
    await workbench.chat.getByText('Could not write a.txt: No folder is open.').first().waitFor();
    await workbench.page.screenshot({ path: 'test-results/ui/noFolder-2.png' });
    const session = await workbench.execute<{ headId: string | null }>('retrace.rewind', {
      turns: 1,
      confirm: false,
    });
    expect(session.headId).toBeNull();
  });
});
