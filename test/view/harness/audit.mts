import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { root } from '../../kit/install.mts';

const axe = await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Returns what axe finds serious, as lines that say where. */
export async function audit(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document, {
      // The browser itself lets Tab stop at what scrolls and holds nothing to focus.
      rules: { 'scrollable-region-focusable': { enabled: false } },
    });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      );
  });
}

interface Axe {
  run(context: Document, options: RunOptions): Promise<AxeResults>;
}
