import { describe, expect, test } from 'vitest';
import { isUnderGit } from '../../../src/core/laxPath';

describe('a folder that some file system takes for .git', () => {
  test.each([
    ...['.git', '/w/.git/config', '.GIT/hooks/x', '.g\u200cit/config', '\ufeff.git/config'],
    ...['.git./config', '.git /config', '.git::$INDEX_ALLOCATION/config', 'git~1/config'],
  ])('%j', (path) => {
    expect(isUnderGit(path)).toBe(true);
  });

  test.each(['.gitignore', 'git/config', 'a.git/x', '.github/x', 'git~x', ''])('not %j', (path) => {
    expect(isUnderGit(path)).toBe(false);
  });
});
