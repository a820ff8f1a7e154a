import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageExtension } from '../../scripts/package.mts';
import { openWorkbench } from '../kit/workbench.mts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retrace-package-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package installs, and opens in the language of VS Code', async () => {
  const vsix = join(folder, 'retrace.vsix');
  await packageExtension(vsix);
  const consoleFile = 'test-results/ui/package.log';
  const workbench = await openWorkbench({ folder, vsix, locale: 'zh-cn', consoleFile });
  try {
    await workbench.execute('retrace.chat.focus');
    await workbench.chat.locator('body').waitFor();
    await workbench.page.locator('.sidebar .title-label', { hasText: '聊天' }).waitFor();
    await workbench.page.screenshot({ path: 'test-results/ui/package.png' });
    const entry = workbench.page.locator('.quick-input-list .monaco-list-row');
    await workbench.page.keyboard.press('F1');
    await workbench.page.locator('.quick-input-widget input').first().fill('>Retrace: Rewind');
    await expect.poll(() => entry.allInnerTexts()).toContainEqual(expect.stringContaining('回退…'));
  } finally {
    await workbench.close();
  }
});
