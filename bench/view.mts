// The chat and the graph in a browser, against a written host: a long conversation beside a short one, typing while a
// text streams beside typing while nothing does, and the graph while it is panned.
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../test/kit/browser.mts';
import { startHarness } from '../test/view/harness/harness.mts';
import type { FakeHost } from '../test/view/harness/fakeHost.ts';
import { median, print, ratio } from './harness.mts';

declare global {
  var fakeHost: FakeHost;
}

const runs = 5;
const typed = 60;
const harness = await startHarness();
const browser = await launchBrowser();
try {
  const [short, long]: number[][] = [[], []];
  for (let run = 0; run < runs; run += 1) {
    short?.push(await firstMessage(browser, 20));
    long?.push(await firstMessage(browser, 2_000));
  }
  const page = await open(browser, 2_000);
  const idle = await typing(page);
  await page.evaluate(stream);
  await page.waitForTimeout(2_000);
  const streaming = await typing(page);
  const added = await page.evaluate(append);
  await page.close();
  const few = await open(browser, 20);
  const addedToFew = await few.evaluate(append);
  await few.close();
  print('view', {
    'first message of 2,000 beside 20, ms': ratio(median(long ?? []), median(short ?? []), 1.5),
    'key to paint while 200 pieces a second stream, p95 ms': ratio(p95(streaming.keys), 50, 1),
    'key to paint while streaming beside idle, p95 ms': ratio(
      p95(streaming.keys),
      p95(idle.keys),
      3,
    ),
    'longest task while streaming, ms': ratio(Math.max(50, ...streaming.tasks), 100, 1),
    'nodes touched by a message more at 2,000 beside 20': ratio(added, addedToFew, 1.5),
    'frame of the graph of 2,000 nodes while panned, p95 ms': ratio(await panning(browser), 33, 1),
  });
} finally {
  await browser.close();
  harness.close();
}

/** Opens a conversation of some messages of about ten thousand characters. */
async function open(on: Browser, count: number): Promise<Page> {
  const page = await on.newPage({ viewport: { width: 400, height: 760 } });
  await page.goto(`${harness.url}?scene=long&count=${count}`);
  await page.locator(`[data-message="m${count - 1}"]`).waitFor();
  await page.waitForTimeout(500);
  return page;
}

/**
 * Returns the milliseconds from the first view's arrival to the frame that shows the last message. Making the written
 * conversation is the harness's work and not counted.
 */
async function firstMessage(on: Browser, count: number): Promise<number> {
  const page = await on.newPage({ viewport: { width: 400, height: 760 } });
  await page.addInitScript((last) => {
    let arrived = 0;
    window.addEventListener('message', ({ data }: MessageEvent<{ type?: string }>) => {
      if (data.type === 'answer' && arrived === 0) arrived = performance.now();
    });
    const look = (): void => {
      if (document.querySelector(`[data-message="m${last}"]`) && arrived > 0)
        Object.assign(window, { shownAfter: performance.now() - arrived });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, count - 1);
  await page.goto(`${harness.url}?scene=long&count=${count}`);
  await page.waitForFunction(() => 'shownAfter' in window);
  const took = await page.evaluate(() => (window as unknown as { shownAfter: number }).shownAfter);
  await page.close();
  return took;
}

/** Types, and returns how long each key took to the frame after it, and the long tasks meanwhile, in milliseconds. */
async function typing(page: Page): Promise<{ keys: number[]; tasks: number[] }> {
  await page.locator('#composer').fill('');
  await page.evaluate(() => {
    const keys: number[] = [];
    const tasks: number[] = [];
    const end = new AbortController();
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask' });
    document.addEventListener(
      'keydown',
      (event) => {
        // A frame's callbacks run before it is painted, a message after.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => keys.push(performance.now() - event.timeStamp);
          port2.postMessage(null);
        });
      },
      { capture: true, signal: end.signal },
    );
    Object.assign(window, { measured: { keys, tasks, end } });
  });
  for (let key = 0; key < typed; key += 1) {
    await page.keyboard.press('a');
    await page.waitForTimeout(40);
  }
  return page.evaluate(() => {
    const { keys, tasks, end } = (
      window as unknown as { measured: { keys: number[]; tasks: number[]; end: AbortController } }
    ).measured;
    end.abort();
    return { keys, tasks };
  });
}

/** Streams into the last reply 200 times a second, as the real host tells it: collected every 40 ms. */
function stream(): void {
  const message = fakeHost.view.messages.at(-1);
  if (message?.role !== 'assistant') throw new Error('no reply');
  const running = { ...message, id: 'running', status: 'running' } as const;
  const parts = [{ type: 'text', text: '' }] as const;
  fakeHost.show({
    messages: [...fakeHost.view.messages, { ...running, parts }],
    running: true,
  });
  let piece = 0;
  setInterval(() => {
    let text = '';
    for (let i = 0; i < 8; i += 1) {
      piece += 1;
      text += piece % 60 === 0 ? '\n\n' : `word${piece} `;
    }
    fakeHost.stream('running', 0, text);
  }, 40);
}

/** Adds a message, and returns how many nodes of the page that touched. */
async function append(): Promise<number> {
  let nodes = 0;
  const observer = new MutationObserver((records) => {
    for (const { addedNodes, removedNodes, target } of records)
      if (target instanceof Element && target.matches('.transcript'))
        nodes += addedNodes.length + removedNodes.length;
  });
  observer.observe(document.body, { subtree: true, childList: true });
  const user = fakeHost.view.messages.find(({ role }) => role === 'user');
  if (user === undefined) throw new Error('no message');
  fakeHost.show({ messages: [...fakeHost.view.messages, { ...user, id: 'more' }] });
  await new Promise((resolve) => setTimeout(resolve, 500));
  observer.disconnect();
  return nodes;
}

/** Pans the graph, and returns the 95th percentile of its frames in milliseconds. */
async function panning(on: Browser): Promise<number> {
  const page = await on.newPage({ viewport: { width: 900, height: 760 } });
  await page.goto(`${harness.url}graph.html?rows=2000`);
  await page.getByTestId('graph-row').first().waitFor();
  await page.mouse.move(400, 400);
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const frame = (now: number): void => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { frames });
  });
  for (let step = 0; step < 80; step += 1) {
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(16);
  }
  const frames = await page.evaluate(() => (window as unknown as { frames: number[] }).frames);
  await page.close();
  return p95(frames.slice(5));
}

function p95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? NaN;
}
