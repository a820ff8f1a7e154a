import { expect, test } from 'vitest';
import { parseSlash } from '../../../src/core/slash';

test.each([
  ['/rewind', { kind: 'rewind' }],
  ['/rewind 3', { kind: 'rewind', n: 3 }],
  ['  /REWIND   2 ', { kind: 'rewind', n: 2 }],
  ['/fork', { kind: 'fork', n: 0 }],
  ['/fork 2', { kind: 'fork', n: 2 }],
  ['/regen', { kind: 'regen' }],
  ['/undo', { kind: 'undo' }],
  ['/redo', { kind: 'redo' }],
  ['/new', { kind: 'new' }],
  ['/help', { kind: 'help' }],
])('%s is a command', (input, command) => {
  expect(parseSlash(input)).toEqual(command);
});

test.each(['-1', '1.5', 'two', '1e3', '0x1', '1 2', '9999999999'])(
  '/rewind %s is refused',
  (argument) => {
    expect(parseSlash(`/rewind ${argument}`)).toEqual({
      kind: 'bad argument',
      word: 'rewind',
      argument,
    });
  },
);

test.each(['/etc/hosts is wrong', '/usr/bin', 'say /rewind', '/', '// comment', '/1', ''])(
  '%s is text',
  (input) => {
    expect(parseSlash(input)).toEqual({ kind: 'text' });
  },
);

test('an unknown word is named, never sent', () => {
  expect(parseSlash('/frobnicate now')).toEqual({ kind: 'unknown', word: 'frobnicate' });
});
