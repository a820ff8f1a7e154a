import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandOutput } from '../../../src/engine/commandOutput';

function shown(...chunks: readonly string[]): string {
  const output = new CommandOutput();
  for (const chunk of chunks) output.add(chunk);
  return output.text();
}

describe('what a command wrote', () => {
  it('is text without colours, titles and links', () => {
    expect(shown('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007on\u001b(B\r\nend')).toBe(
      'red on\nend',
    );
    expect(shown('\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\\n\u0000\u0008')).toBe('link\n');
  });

  it('has rewritten lines as they last stood', () => {
    expect(shown('10 %\r50 %\r100 %\ndone\n')).toBe('100 %\ndone\n');
    expect(shown('10 %', '\r', '\n', '20 %\r', '30 %')).toBe('10 %\n30 %');
  });

  it('does not depend on where it was cut', () => {
    const piece = fc.constantFrom(
      ...['a', 'é€😀', '\r', '\n', '\r\n', '\u001b[31m', '\u001b]0;t\u0007', '\u001b[', ' '],
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(6)), (pieces, sizes) => {
        const whole = `${pieces.join('')}m\n`;
        const cut: string[] = [];
        let at = 0;
        for (const size of sizes) cut.push(whole.slice(at, (at += size)));
        cut.push(whole.slice(at));
        expect(shown(...cut)).toBe(shown(whole));
      }),
    );
  });

  it('is bounded: its beginning and its end stay, and a note between tells how much is missing', () => {
    const output = new CommandOutput();
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} 😀\n`);
    for (const line of lines) output.add(line);
    const text = output.text();
    expect(text.length).toBeLessThan(19_000);
    expect(text.startsWith('line 0 😀\nline 1 😀\n')).toBe(true);
    expect(text.endsWith('line 49999 😀\n')).toBe(true);
    const [, left] = /\n\[… (\d+) characters are left out here …\]\n/u.exec(text) ?? [];
    const kept = text.replace(/\n\[… \d+ characters are left out here …\]\n/u, '').length;
    expect(Number(left) + kept).toBe(lines.join('').length);
    expect(text).not.toMatch(/\p{Cs}/u);
    expect(shown('x'.repeat(1_000_000)).length).toBeLessThan(19_000);
  });
});
