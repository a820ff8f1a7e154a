import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../../src/engine/store/checksum';
import { unwrap, wrap } from '../../../src/engine/store/envelope';
import { parseRecord } from '../../../src/engine/store/schemas';
import { SeqRanges } from '../../../src/engine/store/seqRanges';
import { openRecord } from '../../../src/engine/store/segments';
import { records, userRecord } from '../../kit/arbitraries';

const stamp = { seq: 3, writer: 'w' };

describe('a stored record', () => {
  it('comes back as it was, whatever the types allow', () => {
    fc.assert(
      fc.property(records, (record) => {
        const opened = openRecord(wrap(stamp, JSON.stringify(record)));
        expect(opened).toMatchObject({ stamp, record });
        expect(typeof opened === 'string' ? opened : opened.record).toEqual(record);
      }),
      { numRuns: 500 },
    );
  });

  it('is not believed when any one byte of it is another', () => {
    const bytes = wrap(stamp, JSON.stringify(userRecord('n', null, 'ünïcode')));
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      expect(unwrap(changed).ok, `byte ${at}`).toBe(false);
    }
  });

  it('is not believed when it is cut anywhere', () => {
    const bytes = wrap(stamp, JSON.stringify(userRecord('n', null, 'ünïcode')));
    for (let end = 0; end < bytes.length; end++) {
      expect(unwrap(bytes.subarray(0, end)).ok, `cut at ${end}`).toBe(false);
    }
  });

  it('of a newer version is told from damage', () => {
    const text = new TextDecoder().decode(wrap(stamp, '{}')).replace(/"v":\d+/u, '"v":99');
    expect(unwrap(new TextEncoder().encode(text))).toEqual({ ok: false, problem: 'newer version' });
  });

  it('may hold fields nobody here knows', () => {
    const record = { ...userRecord('n', null), colour: 'red' };
    expect(parseRecord(record)).toEqual(userRecord('n', null));
  });

  it('reads a tool input that was undefined as null', () => {
    const part = { type: 'tool', callId: 'c', name: 'n', state: 'done', output: '', startedAt: 1 };
    const node = {
      ...{ id: 'a', parentId: null, filesFrom: null, createdAt: 1, order: 0, role: 'assistant' },
      ...{ model: 'm', parts: [part], status: 'done', changes: [] },
    };
    expect(parseRecord({ type: 'node', node })).toMatchObject({
      node: { parts: [{ input: null }] },
    });
  });

  it.each([
    'f0/../../etc/passwd',
    'f0/a/../b',
    'f0/./a',
    'f0//a',
    'f0/a\0b',
    '',
    'agent',
    '../x',
    '/etc/passwd',
    'c:/x',
  ])('that names the file %j is refused: no stored key leaves its folder', (file) => {
    const change = { type: 'change', file, before: { kind: 'absent' } };
    const link = { ...change, after: { kind: 'folder' }, by: 'agent' };
    const node = { id: 'a', parentId: null, filesFrom: null, createdAt: 1, order: 0 };
    const record = { type: 'node', node: { ...node, role: 'files', changes: [link] } };
    expect(parseRecord(record)).toBeUndefined();
  });

  it('is refused when it is anything else, without a crash', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        parseRecord(value);
        openRecord(new TextEncoder().encode(JSON.stringify(value)));
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof openRecord(bytes)).toBe('string');
      }),
    );
  });
});

describe('small parts of the store', () => {
  it('computes the CRC-32 everybody else does, in pieces too', () => {
    const bytes = new TextEncoder().encode('123456789');
    expect(crc32(bytes).toString(16)).toBe('cbf43926');
    expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(crc32(bytes));
  });

  it('keeps sets of numbers as ranges', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 })), (values) => {
        const ranges = new SeqRanges();
        for (const value of values) ranges.add(value);
        for (let n = 0; n <= 41; n++) expect(ranges.has(n)).toBe(values.includes(n));
        const list = ranges.list();
        list.forEach(([from, to], index) => {
          expect(from).toBeLessThanOrEqual(to);
          const next = list[index + 1];
          if (next !== undefined) expect(next[0]).toBeGreaterThan(to + 1);
        });
        expect(SeqRanges.of(list).list()).toEqual(list);
      }),
    );
  });
});
