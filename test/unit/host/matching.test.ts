import { describe, expect, it } from 'vitest';
import { best, foldersAbove, globsOf } from '../../../src/host/context/matching';

describe('what is looked for after @', () => {
  it('is letters in order, in either case, in the last names of a path', () => {
    expect(globsOf('ab').files).toBe('**/*[aA]*[bB]*');
    expect(globsOf('s/1').files).toBe('**/*[sS]*/**/*1*');
    expect(globsOf('s').inFolders).toBe('**/*[sS]*/**');
  });

  it('holds nothing that means something in a glob', () => {
    expect(globsOf('[a]{b},*?!\\').files).toBe('**/*?*[aA]*?*?*[bB]*?*?*?*?*?*?*');
    expect(globsOf('日本ß').files).toBe('**/*日*本*ß*');
  });
});

describe('what fits best', () => {
  it('is a name that begins so, then one that has it, then a path that has it, then letters in order', () => {
    const paths = [
      'c/o/x.ts',
      'src/my-co.ts',
      'co/other.ts',
      'src/code.ts',
      'src/co',
      'nothing.md',
    ];
    expect(best('co', paths, 10)).toEqual([
      'src/co',
      'src/code.ts',
      'src/my-co.ts',
      'co/other.ts',
      'c/o/x.ts',
    ]);
  });

  it('is bounded, ignores case, and names nothing twice', () => {
    expect(best('READ', ['readme.md', 'a/README.md', 'readme.md'], 1)).toEqual(['readme.md']);
    expect(best('(a)', ['x(a).ts', 'xa.ts'], 5)).toEqual(['x(a).ts']);
  });

  it('finds the folders above paths', () => {
    expect([...foldersAbove(['a/b/c.ts', 'a/d.ts', 'e.ts'])]).toEqual(['a/b', 'a']);
  });
});
