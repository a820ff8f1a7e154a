import { describe, expect, it } from 'vitest';
import { parseSlash, slashWords } from '../../../src/core/slash';
import { completed, completions, slashItems } from '../../../webview-ui/slash';

describe('commands are completed while typing', () => {
  it('offers exactly the words that are understood', () => {
    expect(slashItems.map((item) => item.word)).toEqual([...slashWords]);
    expect(completions('/')).toEqual(slashItems);
    for (const item of slashItems) {
      expect(parseSlash(completed(item)).kind).toBe(item.word);
    }
  });

  it('narrows to what begins like the word', () => {
    expect(completions('/re').map((item) => item.word)).toEqual(['rewind', 'regen', 'redo']);
    expect(completions('/RE')).toHaveLength(3);
  });

  it('offers nothing for a whole word, so that Enter sends it', () => {
    expect(completions('/undo')).toEqual([]);
  });

  it('leaves text alone that only looks like a command', () => {
    for (const text of [
      '/etc/hosts is wrong',
      '/etc/',
      ' /re',
      '/re ',
      'a /re',
      '/2',
      '',
      '/xyz',
    ]) {
      expect(completions(text)).toEqual([]);
    }
  });
});
