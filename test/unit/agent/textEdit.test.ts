import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editBytes, editText, rewriteBytes } from '../../../src/agent/textEdit';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function edited(text: string, old: string, replacement: string, replaceAll = false): string {
  return decode(editBytes(encode(text), { old, new: replacement, replaceAll }).bytes);
}

describe('edit', () => {
  it('C20 keeps CRLF, mixed and lone-CR line ends', () => {
    expect(edited('one\r\ntwo\r\nthree\r\n', 'one\ntwo\n', 'one\nTWO\nnew\n')).toBe(
      'one\r\nTWO\r\nnew\r\nthree\r\n',
    );
    expect(edited('a\r\nb\nc\r\nd', 'b', 'B')).toBe('a\r\nB\nc\r\nd');
    expect(edited('10%\r20%\rdone\n', 'done', 'DONE')).toBe('10%\r20%\rDONE\n');
  });

  it('C20 gives each line that stays its own end, and new ones the end before them', () => {
    expect(edited('a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nnew\nb\nC\nd')).toBe(
      'a\r\nnew\r\nb\nC\r\nd\n',
    );
    expect(edited('a\r\nb\nc\r\n', 'a\nb\nc\n', 'c\n')).toBe('c\r\n');
    expect(edited('10%\r20%\nx\n', '20%\nx', '20%\ny\nx')).toBe('10%\r20%\ny\nx\n');
    expect(edited('x\r\ny', 'y', 'y\nz')).toBe('x\r\ny\r\nz');
    expect(edited('old mac\rfile', 'mac\nfile', 'MAC\nnew\nfile')).toBe('old MAC\rnew\rfile');
  });

  it('C20 never cuts a CRLF in two', () => {
    expect(edited('a\r\nb\r\n', '\nb', '\nc')).toBe('a\r\nc\r\n');
    expect(edited('a\r\n\r\nb', '\n\n', '\n')).toBe('a\r\nb');
  });

  it('C20 takes line ends sent as they are in the file', () => {
    expect(edited('a\r\nb\n', 'a\r\nb', 'a\r\nc')).toBe('a\r\nc\n');
    expect(edited('a\nb\n', 'a\r\nb', 'a\r\nc\r\nd')).toBe('a\nc\nd\n');
    expect(edited('a\nb\n', 'a\nb', 'a\r\nb2')).toBe('a\r\nb2\n');
  });

  it('C21 keeps the byte order mark, once, and never adds one', () => {
    const bom = '\uFEFF';
    expect(edited(`${bom}Write é\r\nx=1\r\n`, 'Write é', 'Say é')).toBe(`${bom}Say é\r\nx=1\r\n`);
    expect(edited(`${bom}Write é\r\n`, `${bom}Write`, `${bom}Say`)).toBe(`${bom}Say é\r\n`);
    expect(edited('# t\n', '# t', `${bom}# u`)).toBe('# u\n');
    const whole = decode(rewriteBytes(encode(`${bom}Write é\r\nx=1\r\n`), 'Say é\nx=2\n'));
    expect(whole).toBe(`${bom}Say é\r\nx=2\r\n`);
    expect(decode(rewriteBytes(encode('# t\n'), `${bom}# u\n`))).toBe('# u\n');
  });

  it('C22 keeps the end of the file as it was', () => {
    expect(edited('a\nb', 'a', 'A')).toBe('A\nb');
    expect(edited('a\nb\n', 'a', 'A')).toBe('A\nb\n');
    expect(edited('a\n\n\n', 'a', 'A')).toBe('A\n\n\n');
    expect(edited('a\nb\n', 'b\n', 'b\nc\n')).toBe('a\nb\nc\n');
  });

  it.each([
    ['LE', (text: string) => Buffer.from(text, 'utf16le')],
    ['BE', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('C22 edits and rewrites UTF-16 %s as it is', (_, encode) => {
    const bytes = new Uint8Array(encode('\uFEFFé\r\n😀 two\r\n'));
    const edit = { old: '😀 two\n', new: 'zwei\n', replaceAll: false };
    expect(editBytes(bytes, edit).bytes).toEqual(new Uint8Array(encode('\uFEFFé\r\nzwei\r\n')));
    expect(rewriteBytes(bytes, 'a\nb')).toEqual(new Uint8Array(encode('\uFEFFa\r\nb')));
  });

  it('leaves what is not UTF-8 text alone', () => {
    const latin = Uint8Array.of(0x61, 0xe9, 0x0a);
    const edit = { old: 'a', new: 'b', replaceAll: false };
    expect(() => editBytes(latin, edit)).toThrow('not UTF-8 text');
    expect(() => editBytes(Uint8Array.of(0x61, 0, 0x62, 0), edit)).toThrow('not UTF-8 text');
    expect(() => rewriteBytes(latin, 'x')).toThrow('not UTF-8 text');
  });

  it('names the nearest text when the old text is not there', () => {
    const text = 'const a = 1;\nfunction add(left, right) {\n  return left + right;\n}\n';
    expect(() => edited(text, 'function add(l, right) {\n  return l + right;\n}', 'x')).toThrow(
      /nearest text is at line 2:\nfunction add\(left, right\)/u,
    );
    expect(() => edited('abc\n', 'völlig anders', 'x')).toThrow('nor anything like it');
  });

  it('counts the places when there are several', () => {
    expect(() => edited('x\ny\nx\n', 'x', 'z')).toThrow('2 times (lines 1, 3)');
    expect(edited('x\r\ny\r\nx\r\n', 'x\n', 'z\nw\n', true)).toBe('z\r\nw\r\ny\r\nz\r\nw\r\n');
  });

  it('refuses edits that say nothing', () => {
    expect(() => edited('a', 'a', 'a')).toThrow('the same');
    expect(() => edited('a', '', 'b')).toThrow('empty');
    expect(edited('', '', 'b')).toBe('b');
  });

  it('takes text as it is, dollar signs and all', () => {
    expect(edited('a', 'a', "$& $1 $' $`")).toBe("$& $1 $' $`");
  });

  it('property: what an edit does not touch stays, byte for byte', () => {
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    const line = fc.tuple(fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é') }), ends);
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(line),
        fc.string({ unit: fc.constantFrom('x', 'y', '\n') }),
        (before, after, replacement) => {
          const head = before.flat().join('');
          const tail = `\n${after.flat().join('')}`;
          const result = edited(`${head}<OLD>${tail}`, '<OLD>', replacement);
          expect(result.startsWith(head)).toBe(true);
          expect(result.endsWith(tail)).toBe(true);
          const middle = result.slice(head.length, result.length - tail.length);
          expect(middle.replaceAll(/\r\n|\r/gu, '\n')).toBe(replacement);
        },
      ),
    );
  });

  it('property: an edit in LF is the same edit whatever the line ends of the file', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 });
    fc.assert(
      fc.property(
        lines,
        lines,
        lines,
        fc.infiniteStream(fc.boolean()),
        (before, old, after, crlf) => {
          const text = [...before, '<', ...old, '>', ...after].join('\n');
          const mixed = text.replaceAll('\n', () => (crlf.next().value === true ? '\r\n' : '\n'));
          const edit = { old: ['<', ...old, '>'].join('\n'), new: ['<', ...after, '>'].join('\n') };
          const wanted = text.replace(edit.old, edit.new);
          if (edit.old === edit.new) return;
          const result = editText(mixed, { ...edit, replaceAll: false }).text;
          expect(result.replaceAll('\r\n', '\n')).toBe(wanted);
          expect(result).not.toMatch(/\r(?!\n)/u);
        },
      ),
    );
  });
});

describe('write', () => {
  it('keeps CRLF where every line ends so, and nothing else', () => {
    expect(decode(rewriteBytes(encode('a\r\nb\r\n'), 'x\ny'))).toBe('x\r\ny');
    expect(decode(rewriteBytes(encode('a\r\nb\n'), 'x\ny'))).toBe('x\ny');
    expect(decode(rewriteBytes(encode('a\r\n'), 'x\r\ny\n'))).toBe('x\r\ny\n');
    expect(decode(rewriteBytes(encode(''), 'x\n'))).toBe('x\n');
    expect(decode(rewriteBytes(undefined, '\uFEFFx\n'))).toBe('\uFEFFx\n');
  });
});
