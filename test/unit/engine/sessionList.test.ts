import { expect, test } from 'vitest';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

test('the list shows what is open as it is, also before its card is on disk', async () => {
  const { sessions } = await memoryEngine(newMemory(), {});
  const session = await sessions.create();
  await sessions.rename(session, 'Another');
  expect((await sessions.cards()).map(({ title }) => title)).toEqual(['Another']);
});
