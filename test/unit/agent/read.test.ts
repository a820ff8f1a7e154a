import { describe, expect, it } from 'vitest';
import { readArguments } from '../../../src/agent/arguments';
import { maxImageBytes, type Picture } from '../../../src/agent/images';
import type { CallReport } from '../../../src/agent/tools/tool';
import { read } from '../../../src/agent/tools/read';
import { MemoryWorkspace } from './kit/workspace';

const reading = (content: string | Uint8Array, range: Record<string, number> = {}) =>
  read.call({ path: 'f', ...range }, new MemoryWorkspace({ f: content }));

describe('read', () => {
  it('gives plain text with LF, whole files as they are', async () => {
    expect(await reading('\uFEFFa\r\nb\r\n')).toBe('a\nb\n');
    expect(await reading('a\nb')).toBe('a\nb');
    expect(await reading('\n\n')).toBe('\n\n\n[Lines 1 to 2 of 2 are shown.]');
    expect(await reading('')).toBe('(The file is empty.)');
  });

  it('gives a range and says what it left out', async () => {
    expect(await reading('a\nb\nc\n', { startLine: 2, endLine: 2 })).toBe(
      'b\n\n[Lines 2 to 2 of 3 are shown. Read on with startLine 3.]',
    );
    expect(await reading('a\nb\nc', { startLine: 2 })).toBe('b\nc\n[Lines 2 to 3 of 3 are shown.]');
    await expect(reading('a\n', { startLine: 2 })).rejects.toThrow('f has 1 lines');
    await expect(reading('a\nb', { startLine: 2, endLine: 1 })).rejects.toThrow('before startLine');
  });

  it('is bounded', async () => {
    const long = await reading('0123456789\n'.repeat(10_000));
    expect(long.length).toBeLessThan(66_000);
    expect(long).toMatch(
      /\[Lines 1 to 2000 of 10000 are shown\. Read on with startLine 2001\.\]$/u,
    );
    const wide = await reading(`${'x'.repeat(40_000)}\n`.repeat(3));
    expect(wide).toMatch(/\[Lines 1 to 1 of 3 are shown\. Read on with startLine 2\.\]$/u);
    expect((await reading('x'.repeat(100_000))).length).toBeLessThan(65_000);
  });

  it('shows images to a model that sees, and says why not to another', async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 4);
    const shown: Picture[] = [];
    const report = (sees: boolean): CallReport => ({
      output: () => undefined,
      exitCode: () => undefined,
      todo: () => undefined,
      image: (picture) => {
        shown.push(picture);
        return sees;
      },
    });
    const call = (sees: boolean, bytes = png) =>
      read.call({ path: 'f' }, new MemoryWorkspace({ f: bytes }), report(sees));
    expect(await call(true)).toContain('f is an image (image/png, 8 bytes)');
    expect(shown).toEqual([{ base64: 'iVBORwECAwQ=', mime: 'image/png' }]);
    await expect(call(false)).rejects.toThrow('this model does not see images');
    const huge = new Uint8Array(maxImageBytes + 1);
    huge.set(png);
    await expect(call(true, huge)).rejects.toThrow('too large to be shown');
  });

  it('does not guess at what is no text or not there', async () => {
    await expect(reading(Uint8Array.of(0xff, 0xfe, 0x61))).rejects.toThrow('not UTF-8 text');
    await expect(read.call({ path: 'gone' }, new MemoryWorkspace())).rejects.toThrow(
      'There is no file gone.',
    );
  });
});

describe('arguments', () => {
  it('are one JSON object with each name once', () => {
    expect(readArguments('')).toEqual({ ok: true, input: {} });
    expect(readArguments('{"a":{"b":1,"b":2},"b":"a\\":{"}')).toMatchObject({ ok: true });
    for (const raw of ['{', '[]', '"x"', 'null', '{"a":1,"\\u0061":2}', '{"a":1}{"a":2}']) {
      expect(readArguments(raw).ok).toBe(false);
    }
  });
});
