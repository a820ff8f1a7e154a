import { describe, expect, it } from 'vitest';
import { attachmentTitle, textAttachment } from '../../../webview-ui/attachments';
import { droppedUris } from '../../../webview-ui/drop';
import { mentionAt, withMention } from '../../../webview-ui/mentions';

describe('an @ that is being typed', () => {
  it('is one at the beginning of a word in front of the caret', () => {
    expect(mentionAt('fix @src/a', 10)).toEqual({
      start: 4,
      typed: 'src/a',
      kind: 'any',
      wanted: 'src/a',
    });
    expect(mentionAt('@', 1)?.typed).toBe('');
    expect(mentionAt('(@a', 3)?.typed).toBe('a');
    expect(mentionAt('@folder:src', 11)).toMatchObject({ kind: 'folder', wanted: 'src' });
    expect(mentionAt('@file:', 6)).toMatchObject({ kind: 'file', wanted: '' });
  });

  it('is none in an address, after a space, or behind the caret', () => {
    expect(mentionAt('me@example.com', 14)).toBeUndefined();
    expect(mentionAt('@a ', 3)).toBeUndefined();
    expect(mentionAt('ask @a', 3)).toBeUndefined();
  });

  it('is written out in its place', () => {
    const text = 'fix @sr please';
    const mention = mentionAt(text, 7);
    if (mention === undefined) throw new Error('no mention');
    expect(withMention(text, mention, 'src/a.ts')).toEqual({
      text: 'fix @src/a.ts please',
      caret: 13,
    });
  });
});

describe('what is dropped', () => {
  const data = (types: Readonly<Record<string, string>>) => ({
    getData: (type: string) => types[type] ?? '',
  });

  it('is named by its own list first, without comments and web addresses, each once', () => {
    const list = '#c\r\nfile:///w/a.ts\r\nfile:///w/a.ts\r\nvscode-remote://h/b\r\n';
    expect(
      droppedUris(
        data({ 'application/vnd.code.uri-list': list, 'text/uri-list': 'file:///other' }),
      ),
    ).toEqual(['file:///w/a.ts', 'vscode-remote://h/b']);
    expect(droppedUris(data({ 'text/uri-list': 'https://example.com/x' }))).toEqual([]);
    expect(droppedUris(data({ 'text/uri-list': 'just words' }))).toEqual([]);
  });
});

describe('attachments', () => {
  it('are made of pasted text only where it is long', () => {
    expect(textAttachment('a\nfew\nlines')).toBeUndefined();
    const long = 'é\n'.repeat(100);
    const made = textAttachment(long);
    if (made === undefined || !('name' in made)) throw new Error('nothing made');
    expect(made.name).toBe('Pasted text (101 lines)');
    expect(Buffer.from(made.base64, 'base64').toString()).toBe(long);
  });

  it('say where they are, or how large', () => {
    expect(attachmentTitle({ uri: 'file:///w/a%20b.ts' })).toBe('/w/a b.ts');
    expect(attachmentTitle({ name: 'p.png', mime: 'image/png', base64: 'A'.repeat(4_000) })).toBe(
      'p.png · 3 kB',
    );
  });
});
