// Takes the pictures of the walkthrough into media/walkthrough, dark and light. Usage: node test/view/harness/walkthrough.mts
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../kit/browser.mts';
import { root } from '../../kit/install.mts';
import { startHarness } from './harness.mts';

interface Picture {
  readonly path: string;
  readonly ready: string;
  readonly step?: (page: Page) => Promise<unknown>;
}

const pictures: Readonly<Record<string, Picture>> = {
  open: { path: '?scene=empty', ready: 'empty' },
  ask: { path: '?scene=conversation', ready: 'user-message' },
  rewind: { path: '?scene=sheet', ready: 'sheet' },
  graph: { path: 'graph.html?rows=24&every=5', ready: 'graph-row' },
  model: {
    path: '?scene=conversation',
    ready: 'model',
    step: (page) => page.getByTestId('model').click(),
  },
};

const folder = join(root, 'media', 'walkthrough');
await mkdir(folder, { recursive: true });
const harness = await startHarness();
const browser = await launchBrowser();
try {
  for (const theme of ['dark', 'light'])
    for (const [name, { path, ready, step }] of Object.entries(pictures)) {
      const page = await browser.newPage({ viewport: { width: 440, height: 520 } });
      const query = `${path}${path.includes('?') ? '&' : '?'}theme=${theme}`;
      await page.goto(`${harness.url}${query}`);
      await page.getByTestId(ready).first().waitFor();
      await step?.(page);
      await page.waitForTimeout(200);
      await page.screenshot({ caret: 'initial', path: join(folder, `${name}-${theme}.png`) });
      await page.close();
    }
} finally {
  await browser.close();
  harness.close();
}
