import { readdir, readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

const originals: Readonly<Record<string, string>> = {
  'a.txt': 'alpha\nbeta\n',
  'b.txt': 'one\ntwo\n',
};
const ask = [
  'replace alpha with ALPHA in a.txt',
  'replace two with TWO in b.txt',
  'create new/c.txt with hello',
];
const otherWay = 'replace beta with BETA in a.txt';

const changed = { 'a.txt': 'ALPHA\nbeta\n', 'b.txt': 'one\nTWO\n', 'new/c.txt': 'hello' };
const other = { ...originals, 'a.txt': 'alpha\nBETA\n' };

describe('the main job by mouse', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('mouse', { files: originals, theme: 'Default Dark Modern' });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  test('a message changes two files and makes one, and the reply says so', async () => {
    await desk.composer.fill(ask.join('\n'));
    await desk.find('send').click();
    await desk.answered(1);
    await desk.settles(changed);
    await desk.find('file-card').getByText('3 files changed').waitFor();
    await desk.find('user-message').hover();
    await desk.shot('1-hover');
  });

  test('rewind asks first, then the files are back and the text is in the composer', async () => {
    await desk.find('user-message').hover();
    await desk.find('rewind').click();
    await desk.find('sheet').waitFor();
    await desk.shot('2-sheet');
    expect(await desk.files()).toEqual(changed);
    expect(await desk.chat.getByRole('dialog').innerText()).toMatch(
      /a\.txt[^]*b\.txt[^]*new\/c\.txt/u,
    );
    await desk.find('sheet-apply').click();
    await desk.settles(originals);
    await expect.poll(() => readdir(desk.folder)).toEqual(['a.txt', 'b.txt']);
    await expect.poll(() => desk.composer.inputValue()).toBe(ask.join('\n'));
    await desk.find('lines').getByText('Rewound 1 turn').waitFor();
    await desk.shot('3-after');
  });

  test('the text edited and sent takes another way; the switch brings the first one and its files back; Undo leaves again', async () => {
    await desk.composer.fill(otherWay);
    await desk.find('send').click();
    await desk.answered(1);
    await desk.settles(other);
    await desk.find('siblings').first().getByText('2 / 2').waitFor();
    await desk.shot('4-branch');
    await desk.find('user-message').hover();
    await desk.find('user-message').getByTestId('previous').click();
    await desk.find('sheet-apply').click();
    await desk.settles(changed);
    await desk.find('siblings').first().getByText('1 / 2').waitFor();
    await desk.shot('5-back');
    await desk.find('lines').getByText('Undo').click();
    await desk.find('sheet-apply').click();
    await desk.settles(other);
    await desk.find('siblings').first().getByText('2 / 2').waitFor();
  });

  test('a reload shows everything as it was, the draft too', async () => {
    await desk.composer.fill('not sent yet');
    // Typing is saved a moment after it, not at each key.
    await desk.workbench.page.waitForTimeout(1_000);
    await desk.workbench.reload();
    await desk.workbench.execute('retrace.chat.focus');
    await desk.find('siblings').first().getByText('2 / 2').waitFor();
    await expect.poll(() => desk.composer.inputValue()).toBe('not sent yet');
    expect(await desk.files()).toEqual(other);
  });

  test('nothing was refused by the page’s policy', async () => {
    const log = await readFile('test-results/ui/mouse.log', 'utf8');
    expect(log.split('\n').filter((line) => /content security policy/iu.test(line))).toEqual([]);
  });
});

describe('the main job by keyboard', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('keys', { files: originals, theme: 'Default Light Modern' });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  test('send, rewind, another way, back and Undo, without the mouse', async () => {
    const { keyboard } = desk.workbench.page;
    await desk.composer.focus();
    await keyboard.insertText(ask.join('\n'));
    await desk.press('Enter');
    await desk.answered(1);
    await desk.settles(changed);

    await focusMessage(desk);
    await desk.press('Enter', 'Enter');
    await desk.find('sheet').waitFor();
    await desk.shot('1-sheet');
    await confirm(desk);
    await desk.settles(originals);
    await expect.poll(() => desk.composer.inputValue()).toBe(ask.join('\n'));

    // The rewind puts the focus and the caret there itself; nobody types in that very moment.
    await expect
      .poll(() => desk.composer.evaluate((field) => field === document.activeElement))
      .toBe(true);
    await desk.workbench.page.waitForTimeout(500);
    await desk.press('ControlOrMeta+a');
    await keyboard.insertText(otherWay);
    await expect.poll(() => desk.composer.inputValue()).toBe(otherWay);
    await desk.press('Enter');
    await desk.answered(1);
    await desk.settles(other);

    await focusMessage(desk);
    await desk.press('[');
    await confirm(desk);
    await desk.settles(changed);

    await desk.find('lines').getByText('Undo').focus();
    await desk.press('Enter');
    await confirm(desk);
    await desk.settles(other);
  });

  test('Escape leaves the sheet and changes nothing', async () => {
    await focusMessage(desk);
    await desk.press('r');
    await desk.find('sheet').waitFor();
    await desk.press('Escape');
    await desk.find('sheet').waitFor({ state: 'detached' });
    expect(await desk.files()).toEqual(other);
  });
});

/** Goes from the composer to the user's message as a keyboard does. */
async function focusMessage(desk: Desk): Promise<void> {
  await desk.composer.focus();
  for (let presses = 0; presses < 8; presses++) {
    const on = await desk.chat.locator(':focus').first().getAttribute('data-testid');
    if (on === 'user-message') return;
    await desk.press(on === 'reply' ? 'ArrowUp' : 'Shift+Tab');
  }
  throw new Error('The keyboard did not reach the message.');
}

/** Goes on from the sheet: its safe choice has the focus. */
async function confirm(desk: Desk): Promise<void> {
  await desk.find('sheet').waitFor();
  await expect
    .poll(() => desk.chat.locator(':focus').first().getAttribute('data-testid'))
    .toBe('sheet-cancel');
  await desk.press('Tab', 'Enter');
}
