import { describe, expect, it } from 'vitest';
import { parseInstructions } from '../../../src/agent/practice/instructions';

describe('instructions', () => {
  it.each<[string, object]>([
    ['create a.txt', { verb: 'create', file: 'a.txt', text: '' }],
    ['CREATE a.txt WITH Hi', { verb: 'create', file: 'a.txt', text: 'Hi' }],
    ['create a.txt with: hi', { verb: 'create', file: 'a.txt', text: 'hi' }],
    ['create a.txt with :smile:', { verb: 'create', file: 'a.txt', text: ':smile:' }],
    ['create "with with.txt" with x "y"', { verb: 'create', file: 'with with.txt', text: 'x "y"' }],
    ['create a:\n\n```\nx\n```', { verb: 'create', file: 'a', text: 'x\n' }],
    ['* please, write `a b` with \\\\n\\n\\t', { verb: 'write', file: 'a b', text: '\\n\n\t' }],
    ['append x to y to z.txt', { verb: 'append', file: 'z.txt', text: 'x to y' }],
    ['append "three\\n" to b.txt', { verb: 'append', file: 'b.txt', text: 'three\n' }],
    ['append x to `a to b.txt`', { verb: 'append', file: 'a to b.txt', text: 'x' }],
    [
      'replace "a in b" with "c with d" in f',
      { verb: 'replace', file: 'f', old: 'a in b', new: 'c with d' },
    ],
    [
      'replace f() with g("x") in "s t"',
      { verb: 'replace', file: 's t', old: 'f()', new: 'g("x")' },
    ],
    ['replace a with "" in f', { verb: 'replace', file: 'f', old: 'a', new: '' }],
    ['rename a to b c', { verb: 'rename', from: 'a', to: 'b c' }],
    ['12) wait 2 seconds', { verb: 'wait', seconds: 2 }],
    ['list', { verb: 'list', folder: '' }],
    ['fail', { verb: 'fail', message: '' }],
    ['append: foo', { verb: 'unknown', line: 'append: foo' }],
    ['wait for it', { verb: 'unknown', line: 'wait for it' }],
  ])('%j', (message, wanted) => {
    expect(parseInstructions(message)).toEqual([wanted]);
  });

  it('do not come from a block that nobody asked for', () => {
    expect(parseInstructions('say hi\n```\ndelete a\n```\nsay on')).toMatchObject([
      { verb: 'say', text: 'hi' },
      { verb: 'say', text: 'on' },
    ]);
  });
});
