import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  folderKey,
  keyLabel,
  keyUri,
  parentKey,
  uriKey,
  type SessionFolder,
} from '../../../src/core/fileKey';

const folder: SessionFolder = { id: 'f0', uri: 'file:///w/app', name: 'app' };
const nested: SessionFolder = { id: 'f1', uri: 'file:///w/app/packages/x', name: 'x' };
const similar: SessionFolder = { id: 'f2', uri: 'file:///w/app-two', name: 'app-two' };

describe('file keys', () => {
  test('every spelling of one path is one key, and none leaves the folder', () => {
    expect(folderKey(folder, './cfg.json')).toBe('f0/cfg.json');
    expect(folderKey(folder, 'sub/../cfg.json')).toBe('f0/cfg.json');
    expect(folderKey(folder, '../app-two/a')).toBeUndefined();
    expect(folderKey(folder, 'a/../..')).toBeUndefined();
    expect(folderKey(folder, '.')).toBeUndefined();
    expect(folderKey(folder, 'a\0b')).toBeUndefined();
  });

  test('a URI belongs to the innermost folder; a folder with a longer name is another one', () => {
    const folders = [folder, nested, similar];
    expect(uriKey(folders, 'file:///w/app/packages/x/a.ts')).toBe('f1/a.ts');
    expect(uriKey(folders, 'file:///w/app-two/a.ts')).toBe('f2/a.ts');
    expect(uriKey(folders, 'file:///etc/hosts')).toBe('file:///etc/hosts');
    expect(uriKey(folders, 'untitled:a')).toBe('untitled:a');
  });

  test('names with #, %, spaces and other scripts go to a URI and back', () => {
    const name = fc.constantFrom('a#b', '100%', 'a b', '文件', 'x?y', '[z]', 'é', 'a&b=c');
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const key = `f0/${names.join('/')}`;
        const uri = keyUri([folder], key) ?? '';
        expect(uriKey([folder], uri)).toBe(key);
      }),
    );
  });

  test('labels carry the folder only where there are several', () => {
    expect(keyLabel([folder], 'f0/a/b.ts')).toBe('a/b.ts');
    expect(keyLabel([folder, nested], 'f1/b.ts')).toBe('x/b.ts');
    expect(parentKey('f0/a/b.ts')).toBe('f0/a');
    expect(parentKey('f0/b.ts')).toBeUndefined();
  });
});
