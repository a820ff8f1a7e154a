import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorkbench } from '../kit/workbench.mts';

test('the chat view shows in a real window', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'retrace-ui-'));
  const workbench = await openWorkbench({ folder, consoleFile: 'test-results/ui/smoke.log' });
  try {
    await workbench.execute('retrace.chat.focus');
    await workbench.chat.locator('body').waitFor();
    expect(await workbench.chat.locator('body').innerText()).not.toBe('');
    await workbench.page.screenshot({ path: 'test-results/ui/smoke.png' });
    await workbench.reload();
    await workbench.execute('retrace.chat.focus');
    await workbench.chat.locator('body').waitFor();
    await expect(workbench.execute('retrace.doesNotExist')).rejects.toThrow();
  } finally {
    await workbench.close();
    await rm(folder, { recursive: true, force: true });
  }
});
