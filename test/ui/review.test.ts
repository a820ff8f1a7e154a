import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

const before = [
  'import nothing\n\n',
  'function one() {\n  return 1;\n}\n\n',
  'function two() {\n  return 2;\n}\n\n',
  'one();\ntwo();\n',
].join('');
const ask = [
  'replace import nothing\\n\\nfunction with function in code.ts',
  'replace   return 1; with   const first = 1;\\n  return first; in code.ts',
  'replace two();\\n with two();\\nend();\\n in code.ts',
].join('\n');

describe('the changes of the last reply in an editor', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('review', {
      files: { 'code.ts': before },
      theme: 'Default Dark Modern',
    });
  });
  afterEach(({ task }) => (task.result?.state === 'fail' ? desk.shot('failed') : undefined));
  afterAll(() => desk.close());

  const lenses = () => desk.workbench.page.locator('.codelens-decoration a');
  const lens = (title: string) => lenses().getByText(title, { exact: true });
  const offered = (title: string, times: number) =>
    expect.poll(() => lens(title).count(), { timeout: 20_000 }).toBe(times);

  test('are undone and kept by mouse, take no focus, and what was kept stays so after a reload', async () => {
    const { page, execute, reload } = desk.workbench;
    await execute('workbench.action.quickOpen', 'code.ts');
    await page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'code.ts' })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.monaco-editor .view-line').first().waitFor();
    await desk.composer.click();
    await desk.composer.fill(ask);
    await desk.press('Enter');
    await desk.answered(1);
    await offered('Keep', 3);
    await offered('Undo', 3);
    expect(await desk.chat.locator('#composer:focus').count()).toBe(1);
    await desk.shot('1-marked');
    await page.getByText('const', { exact: true }).first().hover();
    const old = page.locator('.monaco-hover').getByText('Before the reply:');
    await old.waitFor();
    await desk.shot('2-hover');
    await page.locator('.statusbar').hover();
    await old.waitFor({ state: 'hidden' });

    await lens('Undo').nth(1).click();
    await offered('Undo', 2);
    await expect.poll(async () => (await desk.files())['code.ts']).toContain('  return 1;\n');
    await desk.find('line-result').waitFor();
    await desk.shot('3-undone');
    await lens('Keep').first().click();
    await offered('Keep', 1);
    await reload('retrace.keptChanges');
    await offered('Keep', 1);
    await lens('Undo File').click();
    await expect
      .poll(async () => (await desk.files())['code.ts'])
      .toBe(before.replace('import nothing\n\n', ''));
    await offered('Keep File', 0);
    await expect.poll(() => desk.find('files-line').innerText()).toContain('Changes undone in');
    await desk.shot('4-settled');
  });
});
