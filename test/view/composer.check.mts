// Drives the composer in a browser against a written host. Usage: node test/view/composer.check.mts
import assert from 'node:assert/strict';
import { asked, composer, runChecks, until, type Check } from './checks.mts';

/** Each is given a page that shows the scene named before the colon. */
const checks: Readonly<Record<string, Check>> = {
  'streaming: what is sent while a reply is written waits, or takes its place': async (page) => {
    await composer(page).fill('next');
    await composer(page).press('Enter');
    await until('queued', async () => (await asked(page, 'queue')).length === 1);
    await until('emptied', async () => (await composer(page).inputValue()) === '');
    await until('gone', async () => (await page.getByTestId('send').count()) === 0);
    await composer(page).fill('at once');
    await composer(page).press('Alt+Enter');
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    const [sent] = await asked(page, 'send');
    assert.equal(sent?.['stopFirst'], true);
    await until('emptied', async () => (await composer(page).inputValue()) === '');
    await composer(page).fill('/help');
    await composer(page).press('Enter');
    await until('a command does not wait', async () => (await asked(page, 'send')).length === 2);
  },

  'queued: each message that waits can be sent, edited and removed': async (page) => {
    assert.equal(await page.locator('.queued-row').count(), 2);
    for (const action of ['edit', 'drop']) {
      const button = page.getByTestId(`queued-${action}`).first();
      await until('free', async () => (await button.getAttribute('aria-disabled')) === 'false');
      await button.click();
    }
    await page.getByTestId('queued-send').last().click();
    await until('asked', async () => (await asked(page, 'queued')).length === 3);
    assert.deepEqual(await asked(page, 'queued'), [
      { queuedId: 'w1', action: 'edit' },
      { queuedId: 'w1', action: 'drop' },
      { queuedId: 'w2', action: 'send' },
    ]);
    await page.getByTestId('drop-aside').click();
    await until('forgotten', async () => (await asked(page, 'dropAside')).length === 1);
  },

  'conversation: with Ctrl+Enter as the key that sends, Enter begins a new line': async (page) => {
    await page.evaluate(() => fakeHost.show({ sendKey: 'ctrlEnter' }));
    await page.locator('[data-testid="send"][title*="+Enter"]').waitFor();
    await composer(page).pressSequentially('one');
    await composer(page).press('Enter');
    await composer(page).pressSequentially('two');
    assert.equal(await composer(page).inputValue(), 'one\ntwo');
    await composer(page).press('Control+Enter');
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    await page.getByTestId('user-message').last().focus();
    await page.keyboard.press('e');
    await page.locator('.editing textarea').fill('Make it');
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.editing textarea').inputValue(), 'Make it\n');
    await page.keyboard.press('Control+Enter');
    await until('edited', async () => (await asked(page, 'planMove')).length === 1);
  },

  'conversation: the caret is saved with the draft, and comes back with it (C51)': async (page) => {
    await composer(page).pressSequentially('one two');
    for (let i = 0; i < 4; i += 1) await composer(page).press('ArrowLeft');
    await composer(page).press('x');
    await until('saved', async () => (await asked(page, 'saveDraft')).at(-1)?.['caret'] === 4);
    await page.evaluate(() =>
      fakeHost.show({
        sessionId: 's7',
        draft: { text: 'elsewhere', attachments: [], version: 3, caret: 4 },
      }),
    );
    await until('shown', async () => (await composer(page).inputValue()) === 'elsewhere');
    const caret = () =>
      composer(page).evaluate((field) => (field as HTMLTextAreaElement).selectionStart);
    await until('placed', async () => (await caret()) === 4);
  },

  'conversation: what was typed last is saved when the host replaces the draft (C51)': async (
    page,
  ) => {
    await composer(page).pressSequentially('half');
    await page.evaluate(() =>
      fakeHost.show({ draft: { text: 'put there', attachments: [], version: 2 } }),
    );
    await until('replaced', async () => (await composer(page).inputValue()) === 'put there');
    const saved = (await asked(page, 'saveDraft')).at(-1);
    assert.deepEqual(saved?.['draft'], { text: 'half', attachments: [] });
    assert.equal(saved['version'], 1);
  },

  'conversation: @ completes files, which become chips and stay in the text': async (page) => {
    await composer(page).pressSequentially('fix @serv');
    await page.getByRole('option', { name: 'server.ts' }).waitFor();
    await composer(page).press('Enter');
    await until(
      'written out',
      async () => (await composer(page).inputValue()) === 'fix @src/server.ts ',
    );
    await page.locator('.composer .chip', { hasText: 'server.ts' }).waitFor();
    await composer(page).pressSequentially('now');
    await composer(page).press('Enter');
    await until('sent', async () => (await asked(page, 'send')).length === 1);
    const attachments = [{ uri: 'file:///w/src/server.ts' }];
    assert.deepEqual((await asked(page, 'send'))[0]?.['draft'], {
      text: 'fix @src/server.ts now',
      attachments,
    });
  },

  'conversation: @folder narrows, Escape closes, an address is text': async (page) => {
    await composer(page).pressSequentially('@fold');
    await page.getByRole('option', { name: '@folder' }).waitFor();
    await composer(page).press('Tab');
    await page.getByRole('option', { name: 'src' }).waitFor();
    assert.equal(await page.getByRole('option').count(), 1);
    await composer(page).press('Escape');
    await until('closed', async () => (await page.getByRole('option').count()) === 0);
    await composer(page).fill('me@src');
    await page.waitForTimeout(200);
    assert.equal(await page.getByRole('option').count(), 0);
  },

  'context: chips name what they are; the selection is one click or one word away': async (
    page,
  ) => {
    assert.equal(await page.locator('.composer .chip:not(.offer)').count(), 4);
    const titles = await page
      .locator('.composer li.chip')
      .evaluateAll((chips) => chips.map((chip) => chip.getAttribute('title')));
    assert.equal(titles[0], '/w/src/limiter.ts');
    await page.getByTestId('offer').click();
    await page.locator('.composer li.chip', { hasText: 'server.ts:3-9' }).waitFor();
    await until('gone', async () => (await page.getByTestId('offer').count()) === 0);
    await page.getByRole('button', { name: 'Remove src/server.ts:3-9' }).click();
    await page.getByTestId('offer').waitFor();
    await composer(page).press('End');
    await composer(page).pressSequentially('@selection please');
    assert.equal(await composer(page).inputValue(), 'Explain @selection please');
    await page.locator('.composer li.chip', { hasText: 'server.ts:3-9' }).waitFor();
    assert.deepEqual(await asked(page, 'takeContext'), [
      { what: 'selection' },
      { what: 'selection' },
    ]);
  },

  'conversation: what is dropped or pasted long becomes a chip, once': async (page) => {
    const drop = () =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/uri-list', 'file:///w/src/a.ts\r\nfile:///w/src/b.ts');
        for (const type of ['dragover', 'drop']) {
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector('main')?.dispatchEvent(event);
          if (!event.defaultPrevented) throw new Error(`${type} was left to VS Code`);
        }
      });
    await drop();
    await drop();
    await until('dropped', async () => (await page.locator('.composer .chip').count()) === 2);
    await composer(page).evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'line\n'.repeat(100));
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await page.locator('.composer .chip', { hasText: 'Pasted text (101 lines)' }).waitFor();
    assert.equal(await composer(page).inputValue(), '');
  },

  'streaming: at 250 px the buttons of the composer stay on one line': async (page) => {
    await page.setViewportSize({ width: 250, height: 600 });
    await composer(page).fill('next');
    const rows = await page.locator('.composer .row-end').evaluate((row) => {
      const tops = [...row.children].map((child) => child.getBoundingClientRect());
      const middles = tops.map(({ top, bottom }) => Math.round((top + bottom) / 2));
      return Math.max(...middles) - Math.min(...middles);
    });
    assert.ok(rows < 4, `the row is ${rows} px uneven`);
    const height = await page.getByTestId('send').evaluate((button) => button.clientHeight);
    assert.ok(height < 32, `the button is ${height} px high`);
  },
};

await runChecks(checks);
