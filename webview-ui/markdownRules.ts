import type { MarkdownIt, Token } from 'markdown-it';
import { t } from './strings';

/** Adapts the parser to the page: which links there are, no pictures, task lists, no inline styles. */
export function refineMarkdown(markdown: MarkdownIt): MarkdownIt {
  // Without a scheme only what says http is a link: `server.ts` is no host in Tajikistan.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  markdown.validateLink = (href) => linkKind(href) !== 'refused';
  links(markdown);
  tables(markdown);
  taskLists(markdown);
  return markdown;
}

/** Tells what a link may be: a page of the web, or a file of the workspace with or without a line. */
export function linkKind(href: string): 'web' | 'file' | 'refused' {
  const scheme = /^\s*([a-z][a-z\d+.-]*):(.*)$/isu.exec(href);
  if (!scheme) return /^\s*(?:\/\/|\\)/u.test(href) ? 'refused' : 'file';
  if (/^https?$/iu.test(scheme[1] ?? '')) return 'web';
  // `server.ts:12` and `server.ts:12:3` look like a scheme and are a place in a file.
  return /^\d+(?:[:-]\d+)*$/u.test(scheme[2] ?? '') ? 'file' : 'refused';
}

function links(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  rules['link_open'] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (!token) return '';
    const href = attribute(token, 'href');
    token.attrSet('data-href', href);
    token.attrSet('title', readable(href));
    token.attrSet('tabindex', '-1');
    token.attrSet('data-item', '');
    if (linkKind(href) === 'file') {
      token.attrs = token.attrs?.filter(([name]) => name !== 'href') ?? null;
      token.attrSet('role', 'link');
    }
    return self.renderToken(tokens, index, options);
  };
  // Loading a picture would tell its server that the message was read.
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const { escapeHtml } = markdown.utils;
    const href = escapeHtml(attribute(token, 'src'));
    const text = escapeHtml(t('image', token?.content || href));
    return `<a class="image" role="link" tabindex="-1" data-item="" data-href="${href}" title="${href}">${text}</a>`;
  };
}

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? '');
}

function readable(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    // An href with a bare % is shown as it is written.
    return href;
  }
}

function tables(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  rules['table_open'] = () => '<div class="table"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const name of ['td_open', 'th_open']) {
    rules[name] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const align = /center|right/u.exec(attribute(token, 'style'))?.[0];
      if (token) token.attrs = align === undefined ? null : [['class', `align-${align}`]];
      return self.renderToken(tokens, index, options);
    };
  }
}

function taskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'task_list', ({ tokens, Token }) => {
    tokens.forEach((token, index) => {
      const text = token.children?.[0];
      const item = tokens[index - 2];
      if (token.type !== 'inline' || !text || item?.type !== 'list_item_open') return;
      const mark = /^\[([ xX])\]\s/u.exec(text.content);
      if (!mark) return;
      const done = mark[1] !== ' ';
      text.content = text.content.slice(mark[0].length);
      item.attrSet('class', 'task');
      const box = new Token('html_inline', '', 0);
      const icon = done ? 'codicon-pass-filled' : 'codicon-circle-large';
      const label = markdown.utils.escapeHtml(t(done ? 'todoDone' : 'todoOpen'));
      box.content = `<span class="codicon ${icon}" role="img" aria-label="${label}"></span> `;
      token.children?.unshift(box);
    });
  });
}
