import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hostRuntime } from '../../../src/host/runtime';

const text = new TextEncoder().encode('the same bytes\n'.repeat(5_000));

describe('runtime', () => {
  it('hashes as SHA-256 in hexadecimal', async () => {
    expect(await hostRuntime.sha256(new TextEncoder().encode('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('hashes a part of a buffer, not the whole', async () => {
    const part = new TextEncoder().encode('xabcx').subarray(1, 4);
    expect(await hostRuntime.sha256(part)).toMatch(/^ba7816bf/u);
  });

  it('inflates what it deflated and what others did', async () => {
    const packed = await hostRuntime.deflate(text);
    expect(packed.length).toBeLessThan(text.length / 10);
    expect(await hostRuntime.inflate(packed)).toEqual(text);
    expect(await hostRuntime.inflate(new Uint8Array(gzipSync(text)))).toEqual(text);
    expect(await hostRuntime.inflate(await hostRuntime.deflate(new Uint8Array()))).toEqual(
      new Uint8Array(),
    );
  });

  it.each(['cut', 'changed', 'not gzip', 'empty'])('throws on damaged input: %s', async (how) => {
    const packed = await hostRuntime.deflate(text);
    const changed = packed.slice();
    changed[packed.length - 6] = (changed[packed.length - 6] ?? 0) ^ 0xff;
    const damaged = {
      cut: packed.subarray(0, packed.length - 20),
      changed,
      'not gzip': text,
      empty: new Uint8Array(),
    }[how];
    await expect(hostRuntime.inflate(damaged ?? text)).rejects.toThrow();
  });

  it('makes ids that differ', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => hostRuntime.newId())).size).toBe(1_000);
  });
});
