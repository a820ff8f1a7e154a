import { readFile } from 'node:fs/promises';
import type { FrameLocator, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Desk } from './desk.mts';

const original = { 'a.txt': 'alpha\nbeta\n' };
const first = { 'a.txt': 'ALPHA\nbeta\n', 'b.txt': 'new' };
const second = { 'a.txt': 'alpha\nBETA\n' };

interface Sent {
  readonly userMessageId: string;
  readonly assistantMessageId: string;
}

describe('the graph', () => {
  let desk: Desk;
  let one: Sent;
  let two: Sent;
  beforeAll(async () => {
    desk = await Desk.open('graph', { files: original, theme: 'Default Dark Modern' });
    const send = (text: string): Promise<Sent> => desk.workbench.execute('retrace.send', { text });
    one = await send('replace alpha with ALPHA in a.txt\ncreate b.txt with new');
    await send('say what we have');
    await desk.workbench.execute('retrace.rewind', {
      messageId: one.userMessageId,
      confirm: false,
    });
    two = await send('replace beta with BETA in a.txt');
    await send('say Add a token bucket to the API');
  });
  afterEach(({ task }) =>
    task.result?.state === 'fail' ? desk.shot(`failed ${task.name.slice(0, 20)}`) : undefined,
  );
  afterAll(() => desk.close());

  test('opens in the editor area with a lane for each branch, the active path first', async () => {
    await desk.settles(second);
    await desk.workbench.execute('retrace.showGraph');
    await rows(desk).first().waitFor();
    const lanes = await rows(desk).evaluateAll((all) =>
      all.map((row) => [row.getAttribute('data-kind'), row.getAttribute('data-lane')].join(' ')),
    );
    expect(lanes).toEqual([
      'start 0',
      ...['user 1', 'reply 1', 'user 1', 'reply 1'],
      ...['user 0', 'reply 0', 'user 0', 'reply 0'],
      'here 0',
    ]);
    await row(desk, one.assistantMessageId).getByText('2 files').waitFor();
    await row(desk, two.assistantMessageId).getByText('+1').waitFor();
    await row(desk, one.userMessageId)
      .getByText(/^rewound/u)
      .waitFor();
    await desk.shot('1-dark');
  });

  test('a click shows a message, Check out asks in the chat, and the files follow', async () => {
    await row(desk, one.assistantMessageId).click();
    const details = graph(desk).getByTestId('graph-details');
    await details.getByRole('button', { name: 'b.txt' }).waitFor();
    await desk.shot('2-details');
    expect(await desk.files()).toEqual(second);
    await details.getByTestId('graph-checkout').click();
    await desk.find('sheet').waitFor();
    await desk.find('sheet-apply').click();
    await desk.settles(first);
    await expect.poll(() => row(desk, one.assistantMessageId).getAttribute('data-lane')).toBe('0');
    await graph(desk).getByText('here · files match this point').waitFor();
    await desk.shot('3-checked-out');
  });

  test('by keyboard: arrows move along it, Enter checks out', async () => {
    const tree = graph(desk).getByRole('tree');
    await row(desk, two.assistantMessageId).click();
    await tree.focus();
    await desk.press('ArrowUp');
    await expect
      .poll(() => tree.getAttribute('aria-activedescendant'))
      .toBe(`line-${two.userMessageId}`);
    await desk.press('ArrowRight', 'Enter');
    await desk.find('sheet').waitFor();
    await desk.find('sheet-apply').click();
    await desk.settles(second);
    // The sheet gives the keyboard back to the composer; what follows types elsewhere.
    await desk.chat.locator('#composer:focus').waitFor();
  });

  test('finds a message, and says how many there are', async () => {
    const find = graph(desk).getByTestId('graph-find').locator('input');
    await find.fill('token bucket');
    await graph(desk).getByTestId('graph-found').getByText('1 of 2').waitFor();
    await desk.press('Enter');
    await graph(desk).getByTestId('graph-found').getByText('2 of 2').waitFor();
    await find.fill('');
  });

  test('compares the files of a message with those that lie there', async () => {
    await row(desk, one.assistantMessageId).click();
    await graph(desk).getByTestId('graph-compare').click();
    await desk.workbench.page.locator('.multiDiffEntry').first().waitFor();
    await desk.shot('4-compare');
    await desk.workbench.execute('workbench.action.closeActiveEditor');
    await rows(desk).first().waitFor();
  });

  test('a card with the message and its files comes where the pointer rests, and goes with Escape', async () => {
    await row(desk, one.assistantMessageId).hover();
    const card = graph(desk).getByTestId('graph-hover');
    await card.getByRole('listitem').getByText('b.txt').waitFor();
    await desk.shot('6-card');
    await graph(desk).getByRole('tree').focus();
    await desk.press('Escape');
    await card.waitFor({ state: 'detached' });
  });

  test('a label is asked for, shown and found', async () => {
    await row(desk, one.assistantMessageId).click();
    await graph(desk).getByTestId('graph-label-edit').click();
    const input = desk.workbench.page.locator('.quick-input-widget input[type="text"]');
    await input.fill('first working version');
    await desk.press('Enter');
    await row(desk, one.assistantMessageId).getByText('first working version').waitFor();
    const find = graph(desk).getByTestId('graph-find').locator('input');
    await find.fill('working version');
    await graph(desk).getByTestId('graph-found').getByText('1 of 1').waitFor();
    await find.fill('');
    await desk.shot('7-label');
  });

  test('a message is selected and another one’s files are compared with it', async () => {
    await row(desk, one.assistantMessageId).click();
    await graph(desk).getByTestId('graph-select').click();
    await row(desk, two.assistantMessageId).click();
    await graph(desk).getByTestId('graph-compare-with').click();
    await desk.workbench.page.locator('.multiDiffEntry').nth(1).waitFor();
    await desk.shot('8-compare-two');
    await desk.workbench.execute('workbench.action.closeActiveEditor');
    await rows(desk).first().waitFor();
  });

  test('an archived branch is out of sight, and there again at a click', async () => {
    await row(desk, one.userMessageId).click();
    await graph(desk).getByTestId('graph-archive').click();
    await row(desk, one.userMessageId).waitFor({ state: 'detached' });
    await row(desk, one.assistantMessageId).waitFor({ state: 'detached' });
    await desk.shot('9-archived');
    await graph(desk).getByTestId('graph-archived').click();
    await row(desk, one.assistantMessageId).waitFor();
    await desk.shot('10-archived-shown');
    await row(desk, one.userMessageId).click();
    await graph(desk).getByTestId('graph-archive').click();
    await graph(desk).getByTestId('graph-archived').click();
    await row(desk, one.assistantMessageId).waitFor();
    await graph(desk).getByTestId('graph-archived').waitFor({ state: 'detached' });
  });

  test('is there again after a reload, and in every theme', async () => {
    await desk.workbench.reload('mainThreadWebview-retrace.graph');
    await rows(desk).first().waitFor();
    for (const theme of [
      'Default Light Modern',
      'Default High Contrast',
      'Default High Contrast Light',
    ]) {
      await desk.workbench.execute('retrace-test.setting', 'workbench.colorTheme', theme);
      await desk.workbench.page.waitForTimeout(1_000);
      await desk.shot(`5-${theme}`);
    }
  });

  test('nothing was refused by the page’s policy', async () => {
    const log = await readFile('test-results/ui/graph.log', 'utf8');
    expect(log.split('\n').filter((line) => /content security policy/iu.test(line))).toEqual([]);
  });
});

function graph(desk: Desk): FrameLocator {
  const outer =
    'iframe.webview.ready[src*="extensionId=retrace.retrace"]:not([src*="purpose=webviewView"])';
  return desk.workbench.page.frameLocator(outer).frameLocator('iframe#active-frame');
}

function rows(desk: Desk): Locator {
  return graph(desk).getByTestId('graph-row');
}

function row(desk: Desk, key: string): Locator {
  return graph(desk).locator(`[data-key="${key}"]`);
}
