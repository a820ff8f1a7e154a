import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  englishBundle,
  englishFile,
  gatherTexts,
  readBundle,
  translationProblems,
  translations,
} from '../../scripts/l10n.mts';
import { root } from '../kit/install.mts';
import { manifest } from './manifest.mts';

const gathered = gatherTexts();
const howTo = 'run `npx node scripts/l10n.mts`, then translate what it names';

describe('the texts people read', () => {
  test('L2 the manifest says where the bundles are', () => {
    expect(manifest).toHaveProperty('l10n', './l10n');
  });

  test('L2 each is fixed in the source, so that a bundle can hold it', () => {
    expect(gathered.unknown).toEqual([]);
    // Texts of each kind are among them: of the host, of its errors, of the chat, of the agent, of the page.
    for (const text of [
      'Rewind to before which message?',
      'There is nothing to undo.',
      'The disk is full. Free some space and try again.',
      'The connection was lost.',
      'Ask, @ to add context, / for commands',
    ])
      expect(gathered.texts).toContain(text);
  });

  test('L2 the English bundle is the source’s', () => {
    expect(readFileSync(join(root, englishFile), 'utf8'), howTo).toBe(englishBundle(gathered));
  });

  test('L2 there is Simplified Chinese', () => {
    expect(translations()).toContain('zh-cn');
  });

  test.each(translations())('L2 %s has every text, no other, and the same places', (language) => {
    expect(translationProblems(gathered, readBundle(language)), howTo).toEqual([]);
  });
});
