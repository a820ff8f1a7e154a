// What checks of the page share: a page in a browser against a written host, and how one is waited for.
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../kit/browser.mts';
import { startHarness } from './harness/harness.mts';
import type { FakeHost } from './harness/fakeHost.ts';

declare global {
  var fakeHost: FakeHost;
}

export type Check = (page: Page) => Promise<void>;

export async function asked(page: Page, name: string): Promise<readonly Record<string, unknown>[]> {
  return page.evaluate(
    (wanted) =>
      fakeHost.asked.filter((frame) => frame.name === wanted).map((frame) => ({ ...frame.params })),
    name,
  );
}

export const drafts = async (page: Page, name: string): Promise<readonly unknown[]> =>
  (await asked(page, name)).map(({ draft }) => draft);

export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}

export const composer = (page: Page) => page.locator('#composer');
export const focused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);

async function run(browser: Browser, url: string, name: string, check: Check): Promise<boolean> {
  const page = await browser.newPage({ viewport: { width: 400, height: 700 } });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.setDefaultTimeout(5_000);
  try {
    await page.goto(`${url}?scene=${name.slice(0, name.indexOf(':'))}`);
    await page.getByTestId('title').waitFor();
    await check(page);
    assert.deepEqual(faults, []);
    console.log(`✓ ${name}`);
    return true;
  } catch (error) {
    console.log(`✗ ${name}\n  ${String(error)}`);
    return false;
  } finally {
    await page.close();
  }
}

/** Runs checks, those only whose name holds the first argument of the process, and sets how the process ends. */
export async function runChecks(checks: Readonly<Record<string, Check>>): Promise<void> {
  const wanted = process.argv[2] ?? '';
  const harness = await startHarness();
  const browser = await launchBrowser();
  const results: boolean[] = [];
  for (const [name, check] of Object.entries(checks)) {
    if (name.includes(wanted)) results.push(await run(browser, harness.url, name, check));
  }
  await browser.close();
  harness.close();
  const failed = results.filter((passed) => !passed).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
}
