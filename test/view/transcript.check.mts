// Drives a conversation of 2,000 messages and 20 MB. Usage: npm run test:view -- transcript
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { asked, focused, runChecks, until } from './checks.mts';

const articles = (page: Page) => page.locator('article[data-message]');
const scroller = (page: Page) => page.getByTestId('scroller');

const left = (page: Page): Promise<number> =>
  scroller(page).evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);

/** The first message in sight, and how far its top is from that of the view. */
const seen = (page: Page): Promise<{ id: string; top: number }> =>
  scroller(page).evaluate((it) => {
    const { top } = it.getBoundingClientRect();
    for (const article of it.querySelectorAll('article[data-message]')) {
      const box = article.getBoundingClientRect();
      if (box.bottom > top)
        return { id: article.getAttribute('data-message') ?? '', top: box.top - top };
    }
    return { id: '', top: 0 };
  });

async function wheel(page: Page, by: number, times = 1): Promise<void> {
  await scroller(page).hover();
  for (let i = 0; i < times; i += 1) {
    const ended = scroller(page).evaluate(
      (it) =>
        new Promise((resolve) => {
          it.addEventListener('scrollend', resolve, { once: true });
          // At the end of the way nothing scrolls.
          setTimeout(resolve, 1_000);
        }),
    );
    await page.mouse.wheel(0, by);
    await ended;
  }
}

async function drawn(page: Page): Promise<void> {
  await until('all in sight is drawn', () =>
    scroller(page).evaluate((it) => {
      const view = it.getBoundingClientRect();
      const middle = document.elementFromPoint(view.left + view.width / 2, view.top + 40);
      return middle?.closest('article') !== null && it.querySelector('.outline') === null;
    }),
  );
}

await runChecks({
  'long: opens on the last screen, and only what is near is drawn (C53)': async (page) => {
    await page.locator('[data-message="m1999"]').waitFor();
    await until('at the end', async () => (await left(page)) < 2);
    assert.ok((await articles(page).count()) < 30);
    assert.equal((await asked(page, 'readMessages')).length, 0);
  },

  'long: what is scrolled to is asked for and drawn, and nothing that is read jumps': async (
    page,
  ) => {
    await until('at the end', async () => (await left(page)) < 2);
    for (let i = 0; i < 12; i += 1) {
      await wheel(page, -1_500);
      await drawn(page);
      const before = await seen(page);
      await page.waitForTimeout(150);
      const after = await seen(page);
      assert.equal(after.id, before.id);
      assert.ok(Math.abs(after.top - before.top) < 2, `${before.top} became ${after.top}`);
      assert.ok((await articles(page).count()) < 40);
    }
    await scroller(page).evaluate((it) => (it.scrollTop = it.scrollHeight / 2));
    await drawn(page);
    assert.ok((await asked(page, 'readMessages')).length > 0);
    await page.getByTestId('jump').click();
    await until('at the end again', async () => (await left(page)) < 2);
    await page.locator('[data-message="m1999"]').waitFor();
  },

  'long: a reload comes back to the place, and to what was unfolded': async (page) => {
    await scroller(page).evaluate((it) => (it.scrollTop = it.scrollHeight / 3));
    await drawn(page);
    await wheel(page, -200, 2);
    await drawn(page);
    const before = await seen(page);
    await page.waitForTimeout(400);
    await page.reload();
    await page.locator(`[data-message="${before.id}"]:not(.outline)`).waitFor();
    await until('the place', async () => {
      const after = await seen(page);
      return after.id === before.id && Math.abs(after.top - before.top) < 2;
    });
    assert.ok((await articles(page).count()) < 40);
  },

  'long: what is looked for is found wherever it is, marked, and gone through': async (page) => {
    await page.locator('#composer').focus();
    await page.keyboard.press('Control+f');
    await until('open', () => focused(page, '#find'));
    await page.keyboard.type('Question 7');
    const count = page.getByTestId('find-count');
    await until('found', async () => /^\d+ of \d+$/u.test((await count.textContent()) ?? ''));
    const marked = (): Promise<string> =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get('found-now') ?? [];
        if (!(range instanceof Range)) return '';
        const { top, bottom } = range.getBoundingClientRect();
        return bottom > 0 && top < innerHeight ? range.toString() : '';
      });
    const last = await count.textContent();
    await until('marked', async () => (await marked()).toLowerCase() === 'question 7');
    await page.keyboard.press('Enter');
    await until('round', async () => ((await count.textContent()) ?? '').startsWith('1 of'));
    await until('there', async () => (await marked()).toLowerCase() === 'question 7');
    await page.keyboard.press('Shift+Enter');
    await until('back', async () => (await count.textContent()) === last);
    await page.getByTestId('find-everywhere').click();
    await page.locator('#find').press('Enter');
    await page.getByTestId('find-elsewhere').getByText('elsewhere').waitFor();
    await page.getByTestId('find-checkout').click();
    await until('moves', async () => (await asked(page, 'planMove')).length === 1);
    await page.locator('#find').press('Escape');
    await until('closed', () => focused(page, '#composer'));
    assert.equal(await page.evaluate(() => CSS.highlights.size), 0);
  },

  'long: the keyboard goes to the first message and back to the last': async (page) => {
    await articles(page).last().focus();
    await page.keyboard.press('Home');
    await until('first', () => focused(page, 'article[data-message="m0"]'));
    await page.keyboard.press('ArrowDown');
    await until('second', () => focused(page, 'article[data-message="m1"]'));
    await page.keyboard.press('End');
    await until('last', () => focused(page, 'article[data-message="m1999"]'));
    await page.keyboard.press('ArrowUp');
    await until('the one before', () => focused(page, 'article[data-message="m1998"]'));
  },

  'long: Up walks through messages also where they are far': async (page) => {
    const composer = page.locator('#composer');
    await composer.focus();
    const shown = async (): Promise<number> =>
      Number(/Question (\d+)/u.exec(await composer.inputValue())?.[1] ?? 2_000);
    for (let at = 1_998; at > 1_950; at -= 2) {
      await page.keyboard.press('ArrowUp');
      // Where it has to be read first the key did nothing, and a moment later it does.
      const again = setTimeout(() => void page.keyboard.press('ArrowUp'), 1_500);
      await until(`message ${at}`, async () => (await shown()) === at);
      clearTimeout(again);
    }
  },

  'long: what streams is followed, and one message more touches only itself (W18)': async (
    page,
  ) => {
    await until('at the end', async () => (await left(page)) < 2);
    const touched = await page.evaluate(async () => {
      let nodes = 0;
      const observer = new MutationObserver((records) => {
        for (const record of records)
          if (record.target instanceof Element && record.target.matches('.transcript'))
            nodes += record.addedNodes.length + record.removedNodes.length;
      });
      observer.observe(document.body, { subtree: true, childList: true });
      const [user] = fakeHost.view.messages;
      if (user?.role !== 'user') throw new Error('no message');
      fakeHost.show({ messages: [...fakeHost.view.messages, { ...user, id: 'more' }] });
      await new Promise((resolve) => setTimeout(resolve, 300));
      return nodes;
    });
    // The markers of the template, the message, and one that went out of reach at the other end.
    assert.ok(touched <= 20, `${touched} nodes`);
    await page.locator('[data-message="more"]').waitFor();
    assert.ok((await left(page)) < 2);
  },
});
