import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { linkKind, refineMarkdown } from '../../../webview-ui/markdownRules';

const markdown = refineMarkdown(new MarkdownIt({ html: false, linkify: true }));

describe('links', () => {
  it.each([
    ['https://example.com/a?b', 'web'],
    ['HTTP://example.com', 'web'],
    ['src/server.ts', 'file'],
    ['src/server.ts:12', 'file'],
    ['server.ts:12:3', 'file'],
    ['../a%20b.md#L4', 'file'],
    ['javascript:alert(1)', 'refused'],
    [' JavaScript:alert(1)', 'refused'],
    ['java\nscript:alert(1)', 'file'],
    ['command:workbench.action.quit', 'refused'],
    ['vscode://x', 'refused'],
    ['data:text/html,<script>', 'refused'],
    ['file:///etc/passwd', 'refused'],
    ['//example.com', 'refused'],
    ['\\\\server\\share', 'refused'],
  ])('%s is %s', (href, kind) => {
    expect(linkKind(href)).toBe(kind);
  });

  it('goes nowhere by itself when it names a file', () => {
    const html = markdown.render('[it](src/a.ts:3)');
    expect(html).toContain('data-href="src/a.ts:3"');
    expect(html).not.toContain(' href=');
    expect(markdown.render('see server.ts')).not.toContain('<a');
  });

  it('stays text when it is refused', () => {
    expect(markdown.render('[x](javascript:alert(1))')).toContain('[x](javascript:alert(1))');
    expect(markdown.render('<command:quit>')).not.toContain('<a');
  });
});

describe('what a model writes', () => {
  it('is never HTML of its own', () => {
    const html = markdown.render('<img src=x onerror=alert(1)> <b>b</b>\n\n<script>1</script>');
    expect(html).not.toMatch(/<(?:img|b|script)/u);
  });

  it('loads no picture', () => {
    const html = markdown.render('![a "cat"](https://example.com/cat.png)');
    expect(html).not.toContain('<img');
    expect(html).toContain('Image: a &quot;cat&quot;');
  });

  it('has no inline style in tables', () => {
    const html = markdown.render('| a | b |\n| -: | - |\n| 1 | 2 |');
    expect(html).not.toContain('style');
    expect(html).toContain('<td class="align-right">');
  });

  it('has boxes in task lists', () => {
    const html = markdown.render('- [x] done\n- [ ] open\n- [link](a.md)');
    expect(html.match(/class="task"/gu)).toHaveLength(2);
    expect(html).toContain('aria-label="done"');
    expect(html).not.toContain('[x]');
  });
});
