// Drives the page in a browser against a written host. Usage: node test/view/page.check.mts
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { asked, composer, drafts, focused, runChecks, until, type Check } from './checks.mts';

/** Presses keys in the composer, replaces its text and presses others, all before the page is drawn again. */
async function typeAtOnce(
  page: Page,
  keys: readonly string[],
  text?: string,
  more: readonly string[] = [],
): Promise<void> {
  await composer(page).evaluate(
    (field: HTMLTextAreaElement, [before, replaced, after]) => {
      const press = (key: string) =>
        field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      before.forEach(press);
      if (replaced === undefined) return;
      field.value = replaced;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      after.forEach(press);
    },
    [keys, text, more] as const,
  );
}

/** Each is given a page that shows the scene named before the colon. */
const checks: Readonly<Record<string, Check>> = {
  'conversation: Enter sends once, and the text goes only when it was taken': async (page) => {
    await composer(page).fill('Hello');
    await page.evaluate(() => fakeHost.refused.set('send', { code: 'model', message: 'no key' }));
    await composer(page).press('Enter');
    await page.getByTestId('line-error').getByText('no key').waitFor();
    assert.equal(await composer(page).inputValue(), 'Hello');
    await page.evaluate(() => fakeHost.refused.clear());
    await composer(page).press('Enter');
    await until('emptied', async () => (await composer(page).inputValue()) === '');
    assert.equal((await asked(page, 'send')).length, 2);
  },

  'conversation: an input method keeps its Enter, Escape and arrows (C52)': async (page) => {
    await composer(page).fill('日本');
    await composer(page).evaluate((field) => {
      const press = (key: string, init: KeyboardEventInit) =>
        field.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }),
        );
      field.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      for (const key of ['Enter', 'Escape', 'ArrowUp', 'ArrowDown']) {
        if (!press(key, { isComposing: true })) throw new Error(`${key} was taken`);
      }
      field.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the old code is what is tried
      press('Enter', { keyCode: 229 });
    });
    assert.equal((await asked(page, 'send')).length, 0);
    await composer(page).press('Shift+Enter');
    assert.equal(await composer(page).inputValue(), '日本\n');
    await composer(page).press('Backspace');
    await composer(page).press('Enter');
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    assert.deepEqual(await drafts(page, 'send'), [{ text: '日本', attachments: [] }]);
  },

  'conversation: commands complete, and a path is text': async (page) => {
    await composer(page).pressSequentially('/re');
    await until('offered', async () => (await page.getByRole('option').count()) === 3);
    await composer(page).press('ArrowDown');
    await composer(page).press('Enter');
    await until('taken', async () => (await composer(page).inputValue()) === '/regen');
    await composer(page).press('Enter');
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    await until('emptied', async () => (await composer(page).inputValue()) === '');
    await composer(page).fill('/etc/hosts is wrong');
    await until('not offered', async () => (await page.getByRole('option').count()) === 0);
    await composer(page).press('Enter');
    await until('sent too', async () => (await asked(page, 'send')).length === 2);
  },

  'conversation: a command completed and sent faster than the page is drawn goes at once': async (
    page,
  ) => {
    await composer(page).pressSequentially('/rew');
    await until('offered', async () => (await page.getByRole('option').count()) === 1);
    await typeAtOnce(page, ['Tab', 'Enter']);
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    assert.deepEqual(await drafts(page, 'send'), [{ text: '/rewind ', attachments: [] }]);
  },

  'conversation: a message sent before the last one was taken goes after it': async (page) => {
    await composer(page).fill('first');
    await typeAtOnce(page, ['Enter', 'Enter'], 'second', ['Enter']);
    await until('both', async () => (await asked(page, 'send')).length === 2);
    assert.deepEqual(await drafts(page, 'send'), [
      { text: 'first', attachments: [] },
      { text: 'second', attachments: [] },
    ]);
    await until('emptied', async () => (await composer(page).inputValue()) === '');
    await page.evaluate(() => fakeHost.refused.set('send', { code: 'model', message: 'no key' }));
    await composer(page).fill('third');
    await typeAtOnce(page, ['Enter'], 'fourth', ['Enter']);
    await page.getByTestId('line-error').getByText('no key').waitFor();
    assert.equal(await composer(page).inputValue(), 'fourth');
    assert.equal((await asked(page, 'send')).length, 3);
  },

  'conversation: the draft is saved, kept over a reload, and replaced by the host only': async (
    page,
  ) => {
    await composer(page).pressSequentially('half a thought');
    await until('saved', async () => (await asked(page, 'saveDraft')).length === 1);
    await page.evaluate(() => fakeHost.show({ running: true }));
    await page.getByTestId('stop').waitFor();
    assert.equal(await composer(page).inputValue(), 'half a thought');
    await page.reload();
    await until('kept', async () => (await composer(page).inputValue()) === 'half a thought');
    await page.evaluate(() =>
      fakeHost.show({ draft: { text: 'taken back', attachments: [], version: 9 } }, 'composer'),
    );
    await until('replaced', async () => (await composer(page).inputValue()) === 'taken back');
    assert.ok(await focused(page, '#composer'));
  },

  'conversation: pasted pictures become attachments that can be taken off': async (page) => {
    await composer(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array([1, 2])], 'cat.png', { type: 'image/png' }));
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await page.locator('.composer .chip', { hasText: 'cat.png' }).waitFor();
    await page.getByTestId('send').click();
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    const attachments = [{ name: 'cat.png', mime: 'image/png', base64: 'AQI=' }];
    assert.deepEqual(await drafts(page, 'send'), [{ text: '', attachments }]);
  },

  'conversation: a move without a question is asked for once': async (page) => {
    await page.getByTestId('user-message').last().hover();
    await page.getByTestId('user-message').last().getByTestId('rewind').click();
    await until('begun', async () => (await asked(page, 'planMove')).length === 1);
    assert.deepEqual(await asked(page, 'planMove'), [{ verb: 'rewind', messageId: 'u2' }]);
    assert.deepEqual(await asked(page, 'applyMove'), []);
  },

  'conversation: a running turn offers to stop first': async (page) => {
    await page.evaluate(() =>
      fakeHost.refused.set('planMove', { code: 'run_active', message: 'A reply is running.' }),
    );
    await page.getByTestId('user-message').first().focus();
    await page.keyboard.press('r');
    await page.getByTestId('note-action').waitFor();
    await page.evaluate(() => fakeHost.refused.clear());
    await page.getByTestId('note-action').click();
    await until('begun again', async () => (await asked(page, 'planMove')).length === 2);
    assert.equal((await asked(page, 'stop')).length, 1);
  },

  'conversation: everything on a message is reached by keyboard': async (page) => {
    await composer(page).focus();
    await page.keyboard.press('Shift+Tab');
    assert.ok(await focused(page, 'article[data-message="a3"]'));
    await page.keyboard.press('ArrowUp');
    assert.ok(await focused(page, 'article[data-message="u2"]'));
    await page.keyboard.press('Enter');
    assert.ok(await focused(page, '[data-testid="rewind"]'));
    await page.keyboard.press('ArrowRight');
    assert.ok(await focused(page, '[data-testid="edit"]'));
    await page.keyboard.press('Escape');
    assert.ok(await focused(page, 'article[data-message="u2"]'));
    await page.keyboard.press('e');
    await until('editing', () => focused(page, '.editing textarea'));
    await page.keyboard.type(' Please.');
    await page.keyboard.press('Escape');
    await until('back', () => focused(page, 'article[data-message="u2"]'));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    assert.ok(!(await focused(page, 'article')), 'Tab leaves the conversation');
  },

  'conversation: an edited message is sent with its attachments': async (page) => {
    await page.getByTestId('user-message').last().focus();
    await page.keyboard.press('e');
    await page.locator('.editing textarea').fill('Make it 30.');
    await page.getByTestId('send-edit').click();
    await until('planned', async () => (await asked(page, 'planMove')).length === 1);
    const attachments = [{ name: 'routes.png', mime: 'image/png', base64: '' }];
    const draft = { text: 'Make it 30.', attachments };
    assert.deepEqual(await asked(page, 'planMove'), [{ verb: 'edit', messageId: 'u2', draft }]);
  },

  'sheet: focus is on the safe choice and stays inside; Escape cancels': async (page) => {
    await until('safe', () => focused(page, '[data-testid="sheet-cancel"]'));
    for (let i = 0; i < 12; i += 1) {
      await page.keyboard.press(i % 3 === 0 ? 'Shift+Tab' : 'Tab');
      assert.ok(await focused(page, '.sheet *'), 'focus left the sheet');
    }
    await page.keyboard.press('Escape');
    await until('cancelled', async () => (await asked(page, 'cancelMove')).length === 1);
    await page.evaluate(() => {
      const { sheet: _, ...view } = fakeHost.view;
      fakeHost.view = view;
      fakeHost.show({});
    });
    await until('composer', () => focused(page, '#composer'));
  },

  'sheet: choices, scope and comparing go to the host': async (page) => {
    await page.getByTestId('choice').selectOption('restore');
    await page.getByRole('radio', { name: 'Chat only' }).click();
    await page.getByTestId('sheet').getByRole('button', { name: 'src/limiter.ts' }).click();
    await page.getByTestId('compare-all').click();
    await page.getByTestId('sheet-apply').click();
    await until('applied', async () => (await asked(page, 'applyMove')).length === 1);
    assert.deepEqual(await asked(page, 'rescopeMove'), [{ planId: 'p1', scope: 'chat' }]);
    assert.deepEqual(await asked(page, 'compareFile'), [{ planId: 'p1', uri: 'f2' }]);
    assert.deepEqual(await asked(page, 'applyMove'), [
      { planId: 'p1', choices: { f3: 'restore' }, dontAskAgain: false },
    ]);
  },

  'streaming: follows the end until the user scrolls, then stays put (C50)': async (page) => {
    const scroller = page.getByTestId('scroller');
    const grow = (count: number) =>
      page.evaluate(async (lines) => {
        for (let i = 0; i < lines; i += 1) {
          fakeHost.stream('a3', 0, `\n\nLine ${i} of the answer.`);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }, count);
    const left = () => scroller.evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop);
    await grow(50);
    await until('at the end', async () => (await left()) < 2);
    await scroller.hover();
    await page.mouse.wheel(0, -30);
    await page.getByTestId('jump').waitFor();
    const top = () =>
      page.locator('[data-message="a3"]').evaluate((it) => it.getBoundingClientRect().top);
    const before = await top();
    await grow(50);
    await page.waitForTimeout(100);
    assert.ok(Math.abs((await top()) - before) < 2, 'the view moved while reading');
    await page.getByTestId('jump').click();
    await until('at the end again', async () => (await left()) < 2);
    await grow(20);
    await until('follows again', async () => (await left()) < 2);
  },

  'streaming: a piece of text changes nothing but its own block': async (page) => {
    const changed = await page.evaluate(async () => {
      fakeHost.stream('a3', 0, '\n\nA second block');
      // Where the machine is busy the first drawing may come late, and would be taken for the second.
      const drawn = (): boolean =>
        document.querySelector('[data-message="a3"]')?.textContent.includes('second') === true;
      while (!drawn()) await new Promise((resolve) => setTimeout(resolve, 20));
      await new Promise((resolve) => setTimeout(resolve, 100));
      const targets = new Set<string>();
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          const element = target instanceof Element ? target : target.parentElement;
          targets.add(
            element?.closest('article')?.getAttribute('data-message') ?? element?.className ?? '',
          );
        }
      });
      const first = document.querySelector('[data-message="a3"] .markdown p');
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      fakeHost.stream('a3', 0, ' that grows');
      const grown = (): boolean =>
        document.querySelector('[data-message="a3"]')?.textContent.includes('grows') === true;
      while (!grown()) await new Promise((resolve) => setTimeout(resolve, 20));
      const kept = first === document.querySelector('[data-message="a3"] .markdown p');
      return { targets: [...targets], kept };
    });
    assert.deepEqual(changed, { targets: ['a3'], kept: true });
  },

  'streaming: what is drawn piece by piece is what is drawn as a whole': async (page) => {
    const text = [
      '\n\n# Title\n\nA paragraph that\ngoes on, then:\n\n- one\n\n  still one\n- [x] two\n',
      '\n````md\n```ts\nnested\n```\n````\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> quoted\n\n',
      'Setext\n---\n\n1. first\n2. second\n\n```ts\nconst unclosed = 1;\n\nconst still = 2;\n',
    ].join('');
    const html = await page.evaluate(async (whole) => {
      const drawn = (): string =>
        // Lit marks its places with comments.
        document
          .querySelector('[data-message="a3"] .markdown')
          ?.innerHTML.replaceAll(/<!--.*?-->/gu, '') ?? '';
      for (let at = 0; at < whole.length; at += 3) {
        fakeHost.stream('a3', 0, whole.slice(at, at + 3));
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
      const growing = drawn();
      const messages = fakeHost.view.messages.map((message) =>
        message.id === 'a3' ? ({ ...message, status: 'done' } as typeof message) : message,
      );
      fakeHost.show({ messages, running: false });
      await new Promise((resolve) => setTimeout(resolve, 200));
      return { growing, done: drawn() };
    }, text);
    assert.match(html.done, /still = /u);
    assert.equal(html.growing, html.done);
  },

  'streaming: a gap makes the page ask again, and it heals': async (page) => {
    await page.evaluate(() => {
      fakeHost.view = { ...fakeHost.view, revision: fakeHost.view.revision + 1 };
      fakeHost.stream('a3', 0, ' Late.');
    });
    await until('asked', async () => (await asked(page, 'ready')).length === 2);
    await page.getByText('60 per minute. Late.').waitFor();
  },

  'markdown: what a model writes cannot run, load or style anything': async (page) => {
    const text = [
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
      '[a](javascript:window.hacked=1) [b](command:quit) [c](data:text/html,x)',
      '![p](https://example.com/p.png)',
      '```html\n<img src=x onerror="window.hacked=1">\n```',
      '```"><img/src=x onerror=window.hacked=1>\ncode\n```',
      '[d](https://example.com/"onclick="window.hacked=1)',
      '| a |\n| :-: |\n| b |',
    ].join('\n\n');
    await page.evaluate((markdown) => {
      const [message] = fakeHost.view.messages.filter((one) => one.role === 'assistant');
      if (!message) throw new Error('no reply');
      fakeHost.show({ messages: [{ ...message, parts: [{ type: 'text', text: markdown }] }] });
    }, text);
    await page.locator('.markdown .code').first().waitFor();
    const found = await page.locator('.markdown').evaluate((it) => ({
      tags: [...it.querySelectorAll('img, script, iframe, svg, style')].length,
      attributes: [...it.querySelectorAll('*')].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style'),
      ),
      hrefs: [...it.querySelectorAll('[href]')].map((link) =>
        link.getAttribute('href')?.slice(0, 8),
      ),
      hacked: 'hacked' in window,
    }));
    assert.deepEqual(found, { tags: 0, attributes: [], hrefs: ['https://'], hacked: false });
    await page.getByText('Image: p').click();
    assert.deepEqual(await asked(page, 'openLink'), [{ href: 'https://example.com/p.png' }]);
  },

  'markdown: links and code go through the host': async (page) => {
    await page.getByRole('link', { name: 'server.ts' }).click();
    assert.equal(
      await page.getByRole('link', { name: 'server.ts' }).getAttribute('tabindex'),
      '-1',
    );
    await page.locator('[data-code-act="copy"]').click();
    assert.deepEqual(await asked(page, 'openLink'), [{ href: 'src/server.ts:12' }]);
    const [copied] = await asked(page, 'copy');
    assert.match(String(copied?.['text']), /^\/\*\* Takes one token/u);
    for (const act of ['insert', 'compare']) {
      await page.locator(`[data-code-act="${act}"]`).click();
      assert.deepEqual(await asked(page, `${act}Code`), [copied]);
    }
  },

  'conversation: a message that cannot be drawn shows that in its place': async (page) => {
    await page.evaluate(() => {
      const broken = { role: 'assistant', id: 'a9', status: 'done' } as never;
      fakeHost.show({ messages: [...fakeHost.view.messages, broken] });
    });
    await page.locator('article.trouble[data-message="a9"]').waitFor();
    assert.equal(await page.locator('article').count(), 5);
  },

  'conversation: 30 s without an answer frees the control and says so': async (page) => {
    await page.clock.install();
    await page.evaluate(() => fakeHost.silent.add('fork'));
    await page.getByTestId('reply').last().getByTestId('fork').click();
    await page.clock.runFor(31_000);
    await page
      .getByTestId('line-error')
      .getByText(/no answer for 30 seconds/u)
      .waitFor();
    assert.equal(
      await page.getByTestId('reply').last().getByTestId('fork').getAttribute('aria-disabled'),
      'false',
    );
  },

  'conversation: sessions are listed, found and opened': async (page) => {
    await page.getByTestId('sessions').click();
    await page.getByTestId('session').first().waitFor();
    await page.keyboard.type('login');
    await until('found', async () => (await page.getByTestId('session').count()) === 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('opened', async () => (await asked(page, 'openSession')).length === 1);
    assert.deepEqual(await asked(page, 'openSession'), [{ sessionId: 's3' }]);
    await page.getByTestId('sessions').click();
    await page.getByTestId('session').first().waitFor();
    await page.keyboard.press('Escape');
    await until('closed', async () => (await page.getByTestId('sessions-overlay').count()) === 0);
  },

  'conversation: Up recalls what was sent, and the draft comes back': async (page) => {
    await composer(page).fill('not sent yet');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await until('newest', async () => (await composer(page).inputValue()).startsWith('Make the'));
    await page.keyboard.press('ArrowUp');
    await until('older', async () => (await composer(page).inputValue()).startsWith('Add a token'));
    await page.keyboard.press('Escape');
    await until('draft', async () => (await composer(page).inputValue()) === 'not sent yet');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await until('newest', async () => (await composer(page).inputValue()).startsWith('Make the'));
    await page.getByTestId('send').click();
    await until('draft', async () => (await composer(page).inputValue()) === 'not sent yet');
    await page.waitForTimeout(400);
    const saved = await drafts(page, 'saveDraft');
    assert.deepEqual(saved.at(-1), { text: 'not sent yet', attachments: [] });
  },

  'conversation: each session can be renamed, archived, exported and deleted': async (page) => {
    await page.getByTestId('sessions').click();
    const row = page.locator('.session-row').nth(2);
    await row.hover();
    for (const action of ['rename', 'archive', 'export', 'delete'])
      await row.getByTestId(`session-${action}`).click();
    await until('asked', async () => (await asked(page, 'keepSession')).length === 4);
    assert.deepEqual(
      (await asked(page, 'keepSession')).map(({ action }) => action),
      ['rename', 'archive', 'export', 'delete'],
    );
  },

  'approval: each button answers it': async (page) => {
    await page.getByRole('button', { name: 'Allow for Session' }).click();
    await until('answered', async () => (await asked(page, 'answerApproval')).length === 1);
    assert.deepEqual(await asked(page, 'answerApproval'), [
      { approvalId: 'q1', answer: 'session' },
    ]);
  },

  'conversation: it fits 200 px, and messages name themselves to menus': async (page) => {
    await page.setViewportSize({ width: 200, height: 600 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.ok(!wide);
    const context = await page
      .getByTestId('user-message')
      .first()
      .getAttribute('data-vscode-context');
    assert.deepEqual(JSON.parse(context ?? ''), {
      webviewSection: 'user',
      messageId: 'u1',
      sessionId: 's1',
      preventDefaultContextMenuItems: true,
    });
  },
};

await runChecks(checks);
