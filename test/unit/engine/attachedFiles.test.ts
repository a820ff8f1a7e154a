import { describe, expect, test } from 'vitest';
import { AttachedFiles } from '../../../src/engine/attachedFiles';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

async function reading(allowed: boolean, leaves: readonly string[] = []) {
  const { sessions } = await memoryEngine(newMemory(), {});
  const session = await sessions.create();
  const asked: string[] = [];
  const read: string[] = [];
  const files = new AttachedFiles({
    read: async (uri) => {
      read.push(uri);
      return { kind: 'file', label: uri, bytes: new Uint8Array() };
    },
    leaves: async (uri) => leaves.includes(uri),
  });
  const reader = files.reader(session, async (detail) => {
    asked.push(detail);
    return allowed;
  });
  return { reader, asked, read };
}

describe('files that messages name', () => {
  test('inside the folders are read without a question, the folder itself too', async () => {
    const { reader, asked, read } = await reading(false);
    for (const uri of ['file:///w/a.ts', 'file:///w', 'file:///w/']) await reader({ uri });
    expect(asked).toEqual([]);
    expect(read).toHaveLength(3);
  });

  test('outside are asked about once for each attachment, and not read when refused', async () => {
    const { reader, asked, read } = await reading(false);
    const named = { uri: 'file:///etc/passwd' };
    expect(await reader(named)).toBe('refused');
    expect(await reader(named)).toBe('refused');
    expect(asked).toEqual(['read /etc/passwd']);
    expect(read).toEqual([]);
    await reader({ uri: 'file:///etc/passwd' });
    expect(asked).toHaveLength(2);
  });

  test('a neighbour of a folder is outside it, and so is one climbed to', async () => {
    const { reader, asked } = await reading(true);
    await reader({ uri: 'file:///wide/a' });
    await reader({ uri: 'file:///w/../etc/passwd' });
    expect(asked).toHaveLength(2);
  });

  test('reached through a link that leaves are asked about', async () => {
    const { reader, asked, read } = await reading(true, ['file:///w/link']);
    const named = { uri: 'file:///w/link' };
    await reader(named);
    await reader(named);
    expect(asked).toEqual(['read link']);
    expect(read).toHaveLength(2);
  });
});
