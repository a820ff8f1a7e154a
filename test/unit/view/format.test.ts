import { afterEach, describe, expect, it } from 'vitest';
import { viewStrings } from '../../../src/protocol/strings';
import { attachmentLabel } from '../../../webview-ui/attachments';
import { dayOf, duration, excerpt, shortCount } from '../../../webview-ui/format';
import { setStrings, t, tn } from '../../../webview-ui/strings';

afterEach(() => setStrings(viewStrings));

describe('texts', () => {
  it('fills places, also where a translation moves them', () => {
    setStrings({ siblings: '{1} 中的第 {0} 个' });
    expect(t('siblings', 2, 3)).toBe('3 中的第 2 个');
    expect(t('send')).toBe('Send');
  });

  it('leaves a place alone that has no value, and values that look like places', () => {
    expect(t('removeAttachment', '{0}')).toBe('Remove {0}');
    expect(t('contextUsed', 1)).toBe('1 tokens used of {1}');
  });

  it('tells one from many', () => {
    expect([0, 1, 2].map((count) => tn('filesChanged', count))).toEqual([
      '0 files changed',
      '1 file changed',
      '2 files changed',
    ]);
  });
});

describe('figures', () => {
  it('shortens token counts', () => {
    expect([0, 999, 4_200, 128_000, 1_200_000].map(shortCount)).toEqual([
      ...['0', '999', '4k', '128k', '1.2M'],
    ]);
  });

  it('writes times as people read them', () => {
    expect([8, 3_140, 61_000].map(duration)).toEqual(['8 ms', '3.1 s', '1 min 1 s']);
  });

  it('puts a text on one line', () => {
    expect(excerpt(' a\n\n b ')).toBe('a b');
    expect(excerpt('abcdef', 4)).toBe('abc…');
  });

  it('groups by calendar day, not by 24 hours', () => {
    const now = new Date(2026, 10, 30, 0, 30).getTime();
    const day = (date: number, hour = 12): string =>
      dayOf(new Date(2026, 10, date, hour).getTime(), now);
    expect([day(30, 0), day(29, 23), day(28), day(23), day(22)]).toEqual([
      ...['today', 'yesterday', 'thisWeek', 'thisWeek', 'older'],
    ]);
  });

  it('names an attachment by its file', () => {
    expect(attachmentLabel({ uri: 'file:///w/a%20b/c%23d.ts' })).toBe('c#d.ts');
    expect(attachmentLabel({ uri: 'file:///w/100%' })).toBe('100%');
    expect(attachmentLabel({ name: 'x.png', mime: 'image/png', base64: '' })).toBe('x.png');
  });
});
