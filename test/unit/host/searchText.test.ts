import { describe, expect, it } from 'vitest';
import { matcher, searchText } from '../../../src/host/files/searchText';

const text = 'one\r\ntwo (2)\nthree\rfour';

describe('searching a text', () => {
  it('finds lines by plain text and by expression, numbered from one', () => {
    expect(searchText(text, matcher('(2)', false), 9)).toEqual([{ line: 2, text: 'two (2)' }]);
    expect(searchText(text, matcher('^(one|four)$', true), 9).map((hit) => hit.line)).toEqual([
      1, 4,
    ]);
  });

  it('takes expressions of looser dialects, and names what is none', () => {
    expect(searchText('a-b', matcher('a\\-b', true), 9)).toHaveLength(1);
    expect(() => matcher('(', true)).toThrow(/no regular expression/u);
    expect(() => matcher('', false)).toThrow(/needed/u);
  });

  it('stops at its bounds', () => {
    expect(searchText('a\n'.repeat(50), matcher('a', false), 3)).toHaveLength(3);
    const [hit] = searchText('x'.repeat(10_000), matcher('x', false), 3);
    expect(hit?.text).toHaveLength(301);
  });
});
