import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { viewStrings } from '../../../src/protocol/strings';

const file = new URL('../../../l10n/bundle.l10n.zh-cn.json', import.meta.url);
const chinese = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;

describe('the page in Chinese', () => {
  it.each(Object.values(viewStrings))('has a text for %j with the same places', (text) => {
    const places = (of: string): readonly string[] => (of.match(/\{\d\}/gu) ?? []).toSorted();
    expect(chinese).toHaveProperty([text]);
    expect(places(chinese[text] ?? '')).toEqual(places(text));
  });
});
