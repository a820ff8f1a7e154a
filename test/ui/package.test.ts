import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageExtension } from '../../scripts/package.mts';
import { Desk } from './desk.mts';

const originals = { 'a.txt': 'alpha\nbeta\n', 'b.txt': 'one\ntwo\n' };
const ask =
  'replace alpha with ALPHA in a.txt\nreplace two with TWO in b.txt\ncreate new/c.txt with hello';
const changed = { 'a.txt': 'ALPHA\nbeta\n', 'b.txt': 'one\nTWO\n', 'new/c.txt': 'hello' };

let folder: string;
let desk: Desk;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'retrace-package-'));
  const vsix = join(folder, 'retrace.vsix');
  await packageExtension(vsix);
  desk = await Desk.open('package', { files: originals, vsix, locale: 'zh-cn' });
});

afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

test('the package installs, and opens in the language of VS Code', async () => {
  const { page } = desk.workbench;
  await page.locator('.sidebar .title-label', { hasText: '聊天' }).waitFor();
  await desk.shot('opened');
  const entry = page.locator('.quick-input-list .monaco-list-row');
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill('>Retrace: Rewind');
  await expect.poll(() => entry.allInnerTexts()).toContainEqual(expect.stringContaining('回退…'));
  await page.keyboard.press('Escape');
});

test('as installed it does its main job: a turn changes files, rewind takes all of it back, and Undo brings it again', async () => {
  await desk.composer.fill(ask);
  await desk.find('send').click();
  await desk.answered(1);
  await desk.settles(changed);
  await desk.find('user-message').hover();
  await desk.find('rewind').click();
  await desk.find('sheet-apply').click();
  await desk.settles(originals);
  await expect.poll(() => desk.composer.inputValue()).toBe(ask);
  await desk.find('lines').getByText('已回退 1 轮').waitFor();
  await desk.find('lines').getByTestId('undo').click();
  await desk.find('sheet-apply').click();
  await desk.settles(changed);
  await desk.shot('done');
});

test('as installed it draws the graph of the session', async () => {
  await desk.workbench.execute('retrace.showGraph');
  const outer =
    'iframe.webview.ready[src*="extensionId=retrace.retrace"]:not([src*="purpose=webviewView"])';
  const frame = desk.workbench.page.frameLocator(outer).frameLocator('iframe#active-frame');
  await frame.getByTestId('graph-row').first().waitFor();
});
