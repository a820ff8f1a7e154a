import { describe, expect, test } from 'vitest';
import { chatHtml, createNonce } from '../../../src/host/chat/chatHtml';

const page = {
  cspSource: 'https://*.vscode-cdn.net',
  scriptUri: 'https://file+.vscode-resource.vscode-cdn.net/dist/view/main.js',
  styleUri: 'https://file+.vscode-resource.vscode-cdn.net/dist/view/main.css',
  nonce: 'abc',
  language: 'zh-cn',
  title: 'Retrace',
};

function policy(html: string): string[] {
  const content = /Content-Security-Policy" content="([^"]*)"/u.exec(html)?.[1] ?? '';
  return content.split('; ');
}

describe('the chat page', () => {
  test('W1 may load its own script, style, font and images, and nothing else', () => {
    expect(policy(chatHtml(page))).toEqual([
      "default-src 'none'",
      "script-src 'nonce-abc'",
      "style-src https://*.vscode-cdn.net 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
      'font-src https://*.vscode-cdn.net',
      'img-src https://*.vscode-cdn.net data:',
    ]);
    expect(chatHtml(page)).not.toContain('unsafe');
  });

  test('has one script, with the nonce, and says its language', () => {
    const html = chatHtml(page);
    expect(html.match(/<script/gu)).toHaveLength(1);
    expect(html).toContain(`<script nonce="abc" src="${page.scriptUri}"></script>`);
    expect(html).toContain('<html lang="zh-cn">');
    expect(html).not.toMatch(/ style=| on[a-z]+=/u);
  });

  test('keeps what it is given inside its attributes', () => {
    const html = chatHtml({ ...page, title: '<b>', scriptUri: 'x"><script>alert(1)</script>' });
    expect(html.match(/<script/gu)).toHaveLength(1);
    expect(html).toContain('<title>&lt;b&gt;</title>');
  });

  test('W2 a nonce is new each time and long', () => {
    const nonces = new Set(Array.from({ length: 100 }, createNonce));
    expect(nonces.size).toBe(100);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{48}$/u);
  });
});
