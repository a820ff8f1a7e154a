import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

const lines = (change: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 9 }, (_, at) => `${change[at + 1] ?? `line ${at + 1}`}\n`).join('');

const originals: Readonly<Record<string, string>> = {
  'conflict.txt': 'theirs\n',
  'lost.txt': 'only once\n',
  'merge.txt': lines(),
  'plain.txt': 'plain\n',
};
const ask = [
  'replace theirs with the agent’s in conflict.txt',
  'append more to lost.txt',
  'replace line 1 with LINE 1 in merge.txt',
  'replace plain with PLAIN in plain.txt',
].join('\n');
const written = {
  'conflict.txt': 'the agent’s\n',
  'lost.txt': 'only once\nmore\n',
  'merge.txt': lines({ 1: 'LINE 1' }),
  'plain.txt': 'PLAIN\n',
};
const edited = {
  ...written,
  'conflict.txt': 'mine\n',
  'merge.txt': lines({ 1: 'LINE 1', 8: 'mine 8' }),
};

async function editByHand(desk: Desk, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) await writeFile(join(desk.folder, file), text);
}

/** Takes the stored copy of a content away. */
async function lose(desk: Desk, text: string): Promise<void> {
  const hash = createHash('sha256').update(text).digest('hex');
  const { dataFolder } = desk.workbench.server;
  const store = join(dataFolder, 'data', 'User', 'globalStorage', 'retrace.retrace', 'store');
  await rm(join(store, 'blobs', hash.slice(0, 2), hash));
}

/** Returns what the sheet says of each file. */
async function rows(desk: Desk): Promise<Record<string, string>> {
  const all = desk.find('sheet').locator('.sheet-row');
  const texts = await Promise.all(
    (await all.all()).map(async (row): Promise<[string, string]> => [
      await row.locator('.path').innerText(),
      (await row.getAttribute('data-outcome')) ?? '',
    ]),
  );
  return Object.fromEntries(texts);
}

async function rewindByMouse(desk: Desk, nth = 0): Promise<void> {
  const message = desk.find('user-message').nth(nth);
  await message.hover();
  await message.getByTestId('rewind').click();
}

describe('the sheet', () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await Desk.open('sheet', { files: originals, theme: 'Default Dark Modern' });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  test('says what comes of each file: merged, conflict, not covered with its reason, restored', async () => {
    await desk.say(ask);
    await desk.answered(1);
    await desk.settles(written);
    await editByHand(desk, edited);
    await lose(desk, originals['lost.txt'] ?? '');
    await rewindByMouse(desk);
    await desk.find('sheet').waitFor();
    expect(await rows(desk)).toEqual({
      'conflict.txt': 'conflict',
      'lost.txt': 'uncovered',
      'merge.txt': 'merged',
      'plain.txt': 'restored',
    });
    expect(await desk.find('sheet').innerText()).toMatch(/not covered: \S+/u);
    await expect.poll(() => desk.focused()).toBe('sheet-cancel');
    await desk.shot('1-open');
    expect(await desk.files()).toEqual(edited);
  });

  test('a name opens VS Code’s diff, Compare all the one for many files; the question stays', async () => {
    const { page } = desk.workbench;
    await desk.find('sheet').getByRole('button', { name: 'conflict.txt' }).click();
    await page.locator('.editor-instance .monaco-diff-editor').waitFor();
    await desk.shot('2-diff');
    await desk.find('compare-all').click();
    await expect.poll(() => page.locator('.multiDiffEntry').count()).toBe(3);
    await desk.shot('3-compare-all');
    await desk.workbench.execute('workbench.action.closeAllEditors');
    expect(await rows(desk)).toHaveProperty('conflict.txt', 'conflict');
  });

  test('files that changed while it was open are planned again, and it says so; nothing is written', async () => {
    await desk.find('choice').first().selectOption('restore');
    await editByHand(desk, { 'plain.txt': 'PLAIN too\n' });
    await desk.find('sheet-apply').click();
    await desk.chat.locator('.replanned').waitFor();
    expect(await desk.files()).toEqual({ ...edited, 'plain.txt': 'PLAIN too\n' });
    // What was chosen stays chosen where it is still offered.
    expect(await desk.find('choice').first().inputValue()).toBe('restore');
    await desk.shot('4-replanned');
    await editByHand(desk, { 'plain.txt': edited['plain.txt'] });
  });

  test('by keyboard alone: the conflict is decided, the move made, and undo brings the hand’s bytes back', async () => {
    await desk.find('sheet-cancel').focus();
    await desk.press('Escape');
    await desk.find('sheet').waitFor({ state: 'detached' });
    expect(await desk.files()).toEqual(edited);

    await desk.find('user-message').focus();
    await desk.press('r');
    await desk.find('sheet').waitFor();
    await expect.poll(() => desk.focused()).toBe('sheet-cancel');
    // Backwards from the safe choice: Compare all, then the choices from the last file up.
    for (let presses = 0; presses < 12; presses++) {
      await desk.press('Shift+Tab');
      const uri = await desk.chat.locator(':focus').first().getAttribute('data-uri');
      if (uri?.endsWith('conflict.txt') === true) break;
    }
    await desk.press('ArrowDown');
    expect(await desk.chat.locator(':focus').first().inputValue()).toBe('restore');
    await desk.shot('5-keyboard');
    for (let presses = 0; presses < 12; presses++) {
      await desk.press('Tab');
      if ((await desk.focused()) === 'sheet-apply') break;
    }
    await desk.press('Enter');
    await desk.settles({
      'conflict.txt': 'theirs\n',
      'lost.txt': written['lost.txt'],
      'merge.txt': lines({ 8: 'mine 8' }),
      'plain.txt': 'plain\n',
    });
    await desk
      .find('lines')
      .getByText('2 files restored, 1 merged, 1 not covered', { exact: false })
      .waitFor();
    await desk.chat.getByText('Left where they were: lost.txt', { exact: false }).first().waitFor();
    await desk.shot('6-after');
    await desk.find('undo').focus();
    await desk.press('Enter');
    await desk.find('sheet').waitFor();
    await expect.poll(() => desk.focused()).toBe('sheet-cancel');
    await desk.press('Tab', 'Enter');
    await desk.settles(edited);
  });
});

describe('moves in a conversation', () => {
  let desk: Desk;
  const files = { 'f.txt': '0\n' };
  const write = (text: string): string => `write f.txt with ${text}\\n`;
  const f = (text: string) => desk.settles({ 'f.txt': `${text}\n` });
  const meter = () => desk.find('meter').getAttribute('title');

  beforeAll(async () => {
    desk = await Desk.open('moves', { files, theme: 'Default Light Modern' });
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  async function confirm(): Promise<void> {
    await desk.find('sheet-apply').click();
    await desk.find('sheet').waitFor({ state: 'detached' });
  }

  test('/rewind completes while typing, lists numbers, and a number clicked goes there', async () => {
    for (const n of [1, 2, 3]) {
      await desk.say(write(String(n)));
      await desk.answered(n);
    }
    await f('3');
    await desk.composer.pressSequentially('/re');
    await desk.find('slash-menu').waitFor();
    await desk.shot('1-completion');
    await desk.press('Tab');
    expect(await desk.composer.inputValue()).toBe('/rewind ');
    await desk.press('Enter');
    await expect.poll(() => desk.find('point').count()).toBe(3);
    await desk.shot('2-numbers');
    const used = await meter();
    await desk.find('point').nth(1).click();
    await confirm();
    await f('1');
    await desk.answered(1);
    expect(await desk.composer.inputValue()).toBe(write('2'));
    expect(await meter()).not.toBe(used);
    await desk.find('undo').click();
    await confirm();
    await f('3');
    expect(await meter()).toBe(used);
  });

  test('a number typed is the message it was shown beside; one out of the range is refused with it', async () => {
    await desk.say('/rewind');
    await expect.poll(() => desk.find('point').count()).toBe(3);
    await desk.say('/rewind 4');
    await desk.find('lines').getByText('from 1 to 3', { exact: false }).waitFor();
    await f('3');
    await desk.shot('3-refused');
    await desk.say('/rewind 1');
    await confirm();
    await f('2');
    expect(await desk.composer.inputValue()).toBe(write('3'));
  });

  test('a draft is put aside by a move and comes back in one click', async () => {
    await desk.composer.fill('something else I was typing');
    await rewindByMouse(desk, 1);
    await confirm();
    await f('1');
    expect(await desk.composer.inputValue()).toBe(write('2'));
    await desk.shot('4-aside');
    await desk.find('draft-aside').getByRole('button', { name: 'Restore' }).click();
    await expect.poll(() => desk.composer.inputValue()).toBe('something else I was typing');
    await desk.composer.fill('');
  });

  test('after a new message, and after a reload, Undo still takes the last move back', async () => {
    await desk.say('append new to f.txt');
    await desk.answered(2);
    await desk.settles({ 'f.txt': '1\nnew\n' });
    await desk.workbench.reload();
    await desk.workbench.execute('retrace.chat.focus');
    await desk.find('reply').nth(1).waitFor();
    await desk.say('/undo');
    await confirm();
    await f('2');
    await desk.answered(2);
    await desk.workbench.reload();
    await desk.workbench.execute('retrace.chat.focus');
    await desk.find('lines').getByText('Move undone', { exact: false }).waitFor();
    await desk.shot('5-reloaded');
    await desk.find('redo').click();
    await confirm();
    await desk.settles({ 'f.txt': '1\nnew\n' });
    await desk.find('undo').click();
    await confirm();
    await f('2');
  });

  test('chat only leaves the files, says where they are, and Bring here brings them', async () => {
    await rewindByMouse(desk, 1);
    await desk.find('sheet').waitFor();
    await desk.chat.getByRole('radio', { name: 'Chat only' }).click();
    await desk.find('sheet').getByText('No file changes.').waitFor();
    await desk.shot('6-chat-only');
    await confirm();
    await f('2');
    await desk.find('files-line').waitFor();
    await desk.shot('7-files-line');
    await desk.find('bring-here').click();
    await confirm();
    await f('1');
    await desk.find('files-line').waitFor({ state: 'detached' });
  });

  test('a move during a reply offers to stop it: then it settles first, and the move goes on', async () => {
    await desk.say(`${write('4')}\nwait 60`);
    await f('4');
    await rewindByMouse(desk, 1);
    await desk.find('note-action').getByText('Stop and rewind').waitFor();
    await desk.shot('8-stop-first');
    await desk.find('note-action').click();
    await confirm();
    await f('1');
    await desk.answered(1);
  });

  test('the context menu of a message does what its buttons do', async () => {
    const { page } = desk.workbench;
    await desk.find('user-message').first().click({ button: 'right' });
    const menu = page.locator('.monaco-menu');
    await menu.waitFor();
    // VS Code takes no click in the moment a menu opens.
    await page.waitForTimeout(500);
    await desk.shot('12-context-menu');
    await menu.getByText('Rewind…', { exact: true }).click();
    await desk.find('sheet').waitFor();
    expect(await desk.chat.getByRole('dialog').innerText()).toContain('write f.txt with 1');
    await desk.press('Escape');
    await desk.find('sheet').waitFor({ state: 'detached' });
    await f('1');
  });

  test('Edit from the context menu opens the message in place; Cancel leaves everything, Send takes another way', async () => {
    const { page } = desk.workbench;
    await desk.find('user-message').first().click({ button: 'right' });
    await page.waitForTimeout(500);
    await page.locator('.monaco-menu').getByText('Edit and Resend', { exact: true }).click();
    const field = desk.find('editing').locator('textarea');
    await expect.poll(() => field.inputValue()).toBe(write('1'));
    await desk.shot('13-editing');
    await field.fill(write('not sent'));
    await desk.press('Escape');
    await desk.find('editing').waitFor({ state: 'detached' });
    await desk.find('user-message').first().getByText('write f.txt with 1').waitFor();
    await f('1');

    await desk.find('user-message').first().hover();
    await desk.find('user-message').first().getByTestId('edit').click();
    await field.fill(write('1b'));
    await desk.press('Enter');
    await confirm();
    await f('1b');
    await desk.answered(1);
    await desk.find('siblings').first().getByText('2 / 2').waitFor();
    await desk.find('user-message').first().getByTestId('previous').click();
    await confirm();
    await desk.settles({ 'f.txt': '4\n' });
    await rewindByMouse(desk, 1);
    await confirm();
    await f('1');
  });

  test('the palette offers to stop a reply too, without a notification', async () => {
    const { page } = desk.workbench;
    await desk.say(`${write('5')}\nwait 60`);
    await f('5');
    await desk.workbench.runFromPalette('Retrace: Undo Move');
    const offer = page.locator('.quick-input-list').getByText('Stop and undo');
    await offer.waitFor();
    await desk.shot('9-palette');
    await offer.click();
    await desk.find('sheet').waitFor();
    expect(await page.locator('.notification-toast').count()).toBe(0);
    await desk.find('sheet-cancel').click();
    await desk.find('sheet').waitFor({ state: 'detached' });
    await rewindByMouse(desk, 1);
    await confirm();
    await f('1');
  });

  test('a fork made while a reply streams opens at once, beside it', async () => {
    await desk.composer.fill('');
    await desk.say(`${write('6')}\nsay begun\nwait 60`);
    await f('6');
    const first = desk.find('user-message').first();
    const title = await desk.find('title').innerText();
    await first.hover();
    await desk.find('user-message').nth(1).hover();
    await desk.find('user-message').nth(1).getByTestId('fork').click();
    await expect.poll(() => desk.find('title').innerText()).toMatch(/^Fork #1 /u);
    await desk.answered(1);
    expect(await desk.composer.inputValue()).toContain('say begun');
    await desk.shot('10-fork');
    await desk.find('sessions').click();
    const overlay = desk.chat.locator('.overlay');
    await overlay.getByText(`fork of ${title}`, { exact: false }).waitFor();
    await desk.shot('11-sessions');
    await overlay.getByText(title, { exact: true }).first().click();
    await desk.find('stop').click();
    await desk.answered(2);
    await f('6');
  });

  test('nothing was refused by the page’s policy', async () => {
    const log = await readFile('test-results/ui/moves.log', 'utf8');
    expect(log.split('\n').filter((line) => /content security policy/iu.test(line))).toEqual([]);
  });
});
