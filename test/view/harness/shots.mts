// Takes pictures of every state of the page in every theme, narrow and wide, to be looked at.
// Usage: node test/view/harness/shots.mts [scene[,scene]] [theme[,theme]] [width[,width]]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../kit/browser.mts';
import { root } from '../../kit/install.mts';
import { audit } from './audit.mts';
import { startHarness } from './harness.mts';

type Step = (page: Page) => Promise<unknown>;

const hover: Step = (page) => page.getByTestId('user-message').last().hover();
const shots: Readonly<Record<string, { scene: string; step?: Step }>> = {
  empty: { scene: 'empty' },
  conversation: { scene: 'conversation', step: hover },
  markdown: { scene: 'markdown' },
  context: {
    scene: 'context',
    step: async (page) => {
      await page.locator('#composer').focus();
      await page.locator('#composer').press('End');
      await page.locator('#composer').pressSequentially('@');
      await page.waitForTimeout(200);
    },
  },
  queued: {
    scene: 'queued',
    step: (page) => page.locator('#composer').pressSequentially('And then'),
  },
  streaming: { scene: 'streaming', step: hover },
  sheet: { scene: 'sheet' },
  'sheet-choice': { scene: 'sheet', step: (page) => page.getByTestId('choice').click() },
  plain: { scene: 'plain' },
  after: { scene: 'after' },
  lines: { scene: 'lines' },
  error: { scene: 'error' },
  approval: { scene: 'approval' },
  'too-long': { scene: 'too-long' },
  'storage-full': { scene: 'storage-full' },
  find: {
    scene: 'conversation',
    step: async (page) => {
      await page.locator('#composer').press('Control+f');
      await page.locator('#find').pressSequentially('limit');
      await page.getByTestId('find-count').filter({ hasText: 'of' }).waitFor();
    },
  },
  sessions: { scene: 'conversation', step: (page) => page.getByTestId('sessions').click() },
  models: { scene: 'conversation', step: (page) => page.getByTestId('model').click() },
  modes: { scene: 'conversation', step: (page) => page.getByTestId('mode').click() },
  slash: {
    scene: 'conversation',
    step: (page) => page.locator('#composer').pressSequentially('/re'),
  },
  editing: {
    scene: 'conversation',
    step: async (page) => {
      await hover(page);
      await page.getByTestId('user-message').last().getByTestId('edit').click();
    },
  },
  open: {
    scene: 'conversation',
    step: async (page) => {
      await page.locator('.fold-head').first().click();
      await page.locator('.fold-head').nth(2).click();
    },
  },
};

const [scenes, themes, widths] = process.argv.slice(2).map((argument) => argument.split(','));
const folder = join(root, 'test-results', 'view');
await mkdir(folder, { recursive: true });
const harness = await startHarness();
const browser = await launchBrowser();
let faults = 0;
try {
  for (const theme of themes ?? ['dark', 'light', 'hc-dark', 'hc-light']) {
    for (const width of (widths ?? ['300', '600']).map(Number)) {
      const page = await browser.newPage({ viewport: { width, height: 760 } });
      await page.addInitScript(() => sessionStorage.clear());
      page.on('console', (message) => {
        if (message.type() !== 'error' && message.type() !== 'warning') return;
        faults += 1;
        console.error(`${theme} ${width}: ${message.text()}`);
      });
      page.on('pageerror', (error) => {
        faults += 1;
        console.error(`${theme} ${width}: ${error.stack ?? error.message}`);
      });
      for (const name of scenes ?? Object.keys(shots)) {
        const shot = shots[name];
        if (!shot) throw new Error(`no shot ${name}`);
        await page.goto(`${harness.url}?scene=${shot.scene}&theme=${theme}`);
        await page.getByTestId('title').waitFor();
        await shot.step?.(page);
        await page.waitForTimeout(150);
        for (const fault of await audit(page)) {
          faults += 1;
          console.error(`${name} ${theme} ${width}: ${fault}`);
        }
        const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        if (wide) {
          faults += 1;
          console.error(`${name} ${theme} ${width}: wider than the view`);
        }
        // The default hides the caret by an inline style, which the policy rightly refuses.
        await page.screenshot({
          caret: 'initial',
          path: join(folder, `${name}-${theme}-${width}.png`),
        });
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
  harness.close();
}
console.log(`pictures in ${folder}, ${faults} faults`);
process.exitCode = faults === 0 ? 0 : 1;
