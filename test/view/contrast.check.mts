// Looks for what cannot be read or reached in the chat, in every theme: axe measures contrast, names and roles.
// Usage: npm run test:view -- contrast
import type { Page } from 'playwright-core';
import { launchBrowser } from '../kit/browser.mts';
import { audit } from './harness/audit.mts';
import { startHarness } from './harness/harness.mts';

type Step = (page: Page) => Promise<unknown>;

const hover: Step = (page) => page.getByTestId('user-message').last().hover();
const states: readonly (readonly [string, Step?])[] = [
  ['empty'],
  ['conversation', hover],
  ['conversation', (page) => page.getByTestId('sessions').click()],
  ['conversation', (page) => page.getByTestId('model').click()],
  ['markdown'],
  ['streaming'],
  ['sheet'],
  ['approval'],
  ['error'],
];

const [only = ''] = process.argv.slice(2);
const tally = { passed: 0, failed: 0 };
const harness = await startHarness();
const browser = await launchBrowser();
try {
  for (const theme of ['dark', 'light', 'hc-dark', 'hc-light']) {
    const page = await browser.newPage({ viewport: { width: 300, height: 760 } });
    await page.addInitScript(() => sessionStorage.clear());
    const faults: string[] = [];
    for (const [scene, step] of states.filter(([name]) => name.includes(only))) {
      await page.goto(`${harness.url}?scene=${scene}&theme=${theme}`);
      await page.getByTestId('title').waitFor();
      await step?.(page);
      await page.waitForTimeout(100);
      for (const fault of await audit(page)) faults.push(`${scene}: ${fault}`);
    }
    await page.close();
    tally[faults.length === 0 ? 'passed' : 'failed'] += 1;
    console.log(`${faults.length === 0 ? '✓' : '✗'} C54 ${theme}: everything can be read`);
    for (const fault of faults) console.log(`  ${fault}`);
  }
} finally {
  await browser.close();
  harness.close();
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = tally.failed === 0 ? 0 : 1;
