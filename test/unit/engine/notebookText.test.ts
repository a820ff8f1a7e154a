import { expect, test } from 'vitest';
import { notebookProblem } from '../../../src/engine/notebookText';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['a.txt', '{'],
  ['a.ipynb', ''],
  ['a.ipynb', '{"cells":[]}'],
  ['A.IPYNB', '{"cells":[{"cell_type":"code","source":[]}],"metadata":{"x":1}}'],
])('C31 %s with %j is left to its editor', (name, text) => {
  expect(notebookProblem(name, bytes(text))).toBeUndefined();
});

test.each([
  ['a.ipynb', '{"cells":[],,}', 'JSON'],
  ['A.IPYNB', '{"cells":[{}]}', 'cells'],
  ['a.ipynb', '[]', 'cells'],
])('C31 %s with %j is no notebook', (name, text, why) => {
  expect(notebookProblem(name, bytes(text))).toContain(why);
});

test('C31 a byte that is no text is no notebook', () => {
  expect(notebookProblem('a.ipynb', Uint8Array.of(0xff))).toBeDefined();
});
