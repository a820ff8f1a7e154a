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
    ...['data-code-act', 'data-item'],
  ],
  // The check below is for what a browser would follow by itself, and these are not followed.
  ADD_URI_SAFE_ATTR: ['data-href', 'data-code-act', 'tabindex', 'start', 'type', 'aria-label'],
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
  return parseBlocks(text).map(({ html }) => html);
}

interface Block {
  readonly html: string;
  /** The line of the text it begins in. */
  readonly line: number;
}

function parseBlocks(text: string): readonly Block[] {
  const env = {};
  const tokens = markdown.parse(text, env);
  const blocks: Block[] = [];
  let begin = 0;
  let depth = 0;
  tokens.forEach((token, index) => {
    depth += token.nesting;
    if (depth > 0) return;
    const html = markdown.renderer.render(tokens.slice(begin, index + 1), markdown.options, env);
    blocks.push({ html: sanitise(html), line: tokens[begin]?.map?.[0] ?? 0 });
    begin = index + 1;
  });
  return blocks;
}

/** What was made of the text that streams: its blocks but for the last two, and where in the text those begin. */
let grown: { text: string; blocks: readonly string[]; end: number } = {
  text: '',
  blocks: [],
  end: 0,
};

/**
 * Returns the blocks of a text that is still growing. Only its last blocks are parsed again: what comes may go on with
 * them, but not with those before, but for link targets that come later, which are there when the text is whole.
 */
export function growingBlocks(text: string): readonly string[] {
  const { blocks: before, end } = text.startsWith(grown.text) ? grown : { blocks: [], end: 0 };
  const rest = text.slice(end);
  const blocks = parseBlocks(rest);
  const open = blocks.at(-2);
  const all = [...before, ...blocks.map(({ html }) => html)];
  if (open === undefined || open.line === 0) return all;
  const done = blocks.indexOf(open);
  grown = {
    text,
    blocks: [...before, ...blocks.slice(0, done).map(({ html }) => html)],
    end: end + offsetOf(rest, open.line),
  };
  return all;
}

function offsetOf(text: string, line: number): number {
  let at = 0;
  for (let left = line; left > 0; left -= 1) at = text.indexOf('\n', at) + 1;
  return at;
}

/**
 * Renders a Markdown text. Each block is a piece of its own, so that while a text streams only its last block is
 * written anew.
 */
export function renderMarkdown(text: string, growing = false): unknown {
  if (text.trim() === '') return nothing;
  return (growing ? growingBlocks(text) : markdownBlocks(text)).map((block) => unsafeHTML(block));
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

const codeActions = [
  { act: 'compare', icon: 'diff', name: 'compareCode' },
  { act: 'insert', icon: 'insert', name: 'insertCode' },
  { act: 'copy', icon: 'copy', name: 'copyCode' },
] as const;

function codeAction({ act, icon, name }: (typeof codeActions)[number]): string {
  const title = markdown.utils.escapeHtml(t(name));
  return (
    `<button class="act" type="button" tabindex="-1" data-item="" data-code-act="${act}" title="${title}" ` +
    `aria-label="${title}"><span class="codicon codicon-${icon}"></span></button>`
  );
}

function codeBlock(code: string, language: string): string {
  const name = markdown.utils.escapeHtml(language);
  return (
    `<div class="code"><div class="code-bar"><span class="code-lang">${name}</span>` +
    codeActions.map(codeAction).join('') +
    '</div>' +
    `<pre><code class="hljs">${highlight(code, language)}</code></pre></div>\n`
  );
}

function highlight(code: string, language: string): string {
  const known = code.length <= highlightLimit && hljs.getLanguage(language) !== undefined;
  return known
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : markdown.utils.escapeHtml(code);
}
