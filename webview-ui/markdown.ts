import DOMPurify, { type Config } from 'dompurify';
import hljs from 'highlight.js/lib/common';
import { nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import MarkdownIt from 'markdown-it';
import { refineMarkdown } from './markdownRules';
import { t } from './strings';

const markdown = refineMarkdown(new MarkdownIt({ html: false, linkify: true, breaks: false }));
markdown.renderer.rules['fence'] = (tokens, index) => {
  const token = tokens[index];
  return codeBlock(token?.content ?? '', token?.info.trim().split(/\s+/u)[0] ?? '');
};
markdown.renderer.rules['code_block'] = (tokens, index) =>
  codeBlock(tokens[index]?.content ?? '', '');

const config: Config = {
  ALLOWED_TAGS: [
    ...['a', 'b', 'blockquote', 'br', 'button', 'code', 'del', 'div', 'em', 'h1', 'h2', 'h3', 'h4'],
    ...['h5', 'h6', 'hr', 'i', 'li', 'ol', 'p', 'pre', 's', 'span', 'strong', 'table', 'tbody'],
    ...['td', 'th', 'thead', 'tr', 'ul'],
  ],
  ALLOWED_ATTR: [
    ...['class', 'href', 'data-href', 'title', 'role', 'tabindex', 'start', 'type', 'aria-label'],
    ...['data-copy-code', 'data-item'],
  ],
  // The check below is for what a browser would follow by itself, and these are not followed.
  ADD_URI_SAFE_ATTR: ['data-href', 'tabindex', 'start', 'type', 'aria-label'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Only the web; a file is named in `data-href` and opened by the host.
  ALLOWED_URI_REGEXP: /^https?:/iu,
};

/** Longer code is shown plain: colouring it would hold up the page. */
const highlightLimit = 30_000;
const cached = 400;
const clean = new Map<string, string>();

/** Returns the top-level blocks of a Markdown text as HTML that cannot run, load or style anything. */
export function markdownBlocks(text: string): readonly string[] {
  const env = {};
  const tokens = markdown.parse(text, env);
  const blocks: string[] = [];
  let begin = 0;
  let depth = 0;
  tokens.forEach((token, index) => {
    depth += token.nesting;
    if (depth > 0) return;
    const html = markdown.renderer.render(tokens.slice(begin, index + 1), markdown.options, env);
    blocks.push(sanitise(html));
    begin = index + 1;
  });
  return blocks;
}

/**
 * Renders a Markdown text. Each block is a piece of its own, so that while a text streams only its last block is
 * written anew.
 */
export function renderMarkdown(text: string): unknown {
  if (text.trim() === '') return nothing;
  return markdownBlocks(text).map((block) => unsafeHTML(block));
}

function sanitise(html: string): string {
  const known = clean.get(html);
  if (known !== undefined) return known;
  const safe = DOMPurify.sanitize(html, config);
  if (clean.size >= cached) {
    for (const key of [...clean.keys()].slice(0, cached / 2)) clean.delete(key);
  }
  clean.set(html, safe);
  return safe;
}

function codeBlock(code: string, language: string): string {
  const name = markdown.utils.escapeHtml(language);
  const copy = markdown.utils.escapeHtml(t('copyCode'));
  return (
    `<div class="code"><div class="code-bar"><span class="code-lang">${name}</span>` +
    `<button class="act" type="button" tabindex="-1" data-item="" data-copy-code="" title="${copy}" ` +
    `aria-label="${copy}"><span class="codicon codicon-copy"></span></button></div>` +
    `<pre><code class="hljs">${highlight(code, language)}</code></pre></div>\n`
  );
}

function highlight(code: string, language: string): string {
  const known = code.length <= highlightLimit && hljs.getLanguage(language) !== undefined;
  return known
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : markdown.utils.escapeHtml(code);
}
