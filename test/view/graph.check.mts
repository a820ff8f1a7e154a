// Looks at the graph in every theme, small and large, and pans 2,000 rows. Usage: node test/view/graph.check.mts
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../kit/browser.mts';
import { root } from '../kit/install.mts';
import { audit } from './harness/audit.mts';
import { startHarness } from './harness/harness.mts';

const folder = join(root, 'test-results', 'view');
await mkdir(folder, { recursive: true });
const harness = await startHarness();
const browser = await launchBrowser();
let faults = 0;

function fault(text: string): void {
  faults += 1;
  console.error(`✗ ${text}`);
}

async function open(query: string, width: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 760 } });
  page.on('console', (message) => {
    if (message.type() === 'error') fault(message.text());
  });
  page.on('pageerror', (error) => fault(error.message));
  await page.goto(`${harness.url}graph.html?${query}`);
  await page.getByTestId('graph-row').first().waitFor();
  return page;
}

/** Pans by a little at every frame and returns how long frames took, the shortest first, in milliseconds. */
async function pan(page: Page, by: number): Promise<readonly number[]> {
  return page.evaluate(async (step) => {
    const scroller = document.querySelector('.scroll');
    if (scroller === null) throw new Error('nothing to pan');
    scroller.scrollTop = 0;
    const times: number[] = [];
    let last = performance.now();
    for (let frame = 0; frame < 240; frame++) {
      scroller.scrollTop += step;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      times.push(now - last);
      last = now;
    }
    return times.slice(2).sort((a, b) => a - b);
  }, by);
}

try {
  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light']) {
    for (const [rows, width] of [
      [24, 900],
      [300, 420],
    ] as const) {
      const page = await open(`theme=${theme}&rows=${rows}&every=5`, width);
      await page.locator('[data-kind="reply"]').last().click();
      await page.getByTestId('graph-details').waitFor();
      for (const found of await audit(page)) fault(`${theme} ${width}: ${found}`);
      await page.screenshot({
        caret: 'initial',
        path: join(folder, `graph-${theme}-${width}.png`),
      });
      const line = page.locator('[data-kind="user"]').last();
      await line.hover();
      // A line that came into sight by scrolling gets its card when the pointer moves on it.
      await page.waitForTimeout(100);
      await line.hover({ position: { x: 200, y: 10 } });
      await page.getByTestId('graph-hover').waitFor();
      for (const found of await audit(page)) fault(`${theme} ${width}, card: ${found}`);
      await page.screenshot({
        caret: 'initial',
        path: join(folder, `graph-card-${theme}-${width}.png`),
      });
      await page.mouse.move(1, 1);
      await page.getByTestId('graph-hover').waitFor({ state: 'detached' });
      await page.close();
    }
  }
  const page = await open('rows=2000', 900);
  const p95 = async (by: number): Promise<string> => {
    const times = await pan(page, by);
    return (times[Math.floor(times.length * 0.95)] ?? 0).toFixed(1);
  };
  const idle = await p95(0);
  const drawn = await page.getByTestId('graph-row').count();
  console.log(
    `2,000 rows: frame p95 ${await p95(90)} ms, idle ${idle} ms, ${drawn} rows in the page`,
  );
  if (drawn > 150) fault(`${drawn} rows are in the page`);
} finally {
  await browser.close();
  harness.close();
}
console.log(`pictures in ${folder}`);
// Looking at the graph is one check; what is wrong is named above, thing by thing.
console.log(`${faults === 0 ? 1 : 0} passed, ${faults} failed`);
process.exitCode = faults === 0 ? 0 : 1;
