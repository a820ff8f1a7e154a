import { describe, expect, test } from 'vitest';
import { plainTitle, Titles, type TitlePorts } from '../../../src/engine/titles';
import { FakeLog } from '../../fakes/runtime';
import { memoryEngine, newMemory } from '../../kit/memoryEngine';

const draft = (text: string) => ({ text, attachments: [] });
const real = { config: { id: 'm', provider: 'anthropic', model: 'm' } } as const;
const practice = { config: { id: 'practice', provider: 'practice', model: 'practice' } } as const;

async function told(answer: TitlePorts['ask'] = async () => '"Fix the *rate* limiter."\n') {
  const asked: string[] = [];
  const memory = newMemory();
  const engine = await memoryEngine(memory, {});
  const session = await engine.sessions.create();
  await engine.retrace.send(session, draft('the limiter is wrong, please\nfix it'));
  const titles = (wanted = true): Titles =>
    new Titles({
      wanted: () => wanted,
      ask: (prompt, model, signal) => {
        asked.push(prompt);
        return answer(prompt, model, signal);
      },
      log: new FakeLog(),
    });
  return { ...engine, session, titles, asked, memory };
}

describe('a title found by the model', () => {
  test('takes the place of the beginning of the first message, once, also after a restart', async () => {
    const { session, titles, asked, memory } = await told();
    expect(session.info.title).toBe('the limiter is wrong, please');
    await titles().improve(session, real);
    expect(session.info).toMatchObject({ title: 'Fix the *rate* limiter', titleLocked: false });
    expect(asked[0]).toContain('the limiter is wrong, please\nfix it');
    const again = await (await memoryEngine(memory, {}, 'x')).sessions.open(session.id);
    await titles().improve(again, real);
    expect([asked.length, again.info.title]).toEqual([1, 'Fix the *rate* limiter']);
  });

  test('is never asked of Practice, nor when that is switched off, nor for a title somebody chose', async () => {
    const { session, sessions, titles, asked } = await told();
    await titles().improve(session, practice);
    await titles(false).improve(session, real);
    await sessions.rename(session, 'Mine');
    await titles().improve(session, real);
    expect([asked, session.info.title]).toEqual([[], 'Mine']);
  });

  test('a title chosen while the model thinks stays', async () => {
    let answer: (title: string) => void = () => undefined;
    const { session, sessions, titles } = await told(
      () => new Promise((resolve) => (answer = resolve)),
    );
    const improving = titles().improve(session, real);
    await sessions.rename(session, 'Mine');
    answer('Theirs');
    await improving;
    expect(session.info.title).toBe('Mine');
  });

  test('a model that fails or says nothing leaves the title, and is not asked again', async () => {
    const answers = [async () => undefined, () => Promise.reject(new Error('offline'))];
    for (const answer of answers) {
      const { session, titles, asked } = await told(answer);
      const one = titles();
      await one.improve(session, real);
      await one.improve(session, real);
      expect([asked.length, session.info.title]).toEqual([1, 'the limiter is wrong, please']);
    }
  });

  test('the window that closes ends the question', async () => {
    const { session, titles } = await told(
      (_, __, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('Too late'))),
    );
    const one = titles();
    const improving = one.improve(session, real);
    one.close();
    await improving;
    expect(session.info.title).toBe('the limiter is wrong, please');
  });

  test.each([
    ['Rate limiter', 'Rate limiter'],
    ['## “Rate limiter”.\nmore', 'Rate limiter'],
    ['Title: **Rate limiter**', 'Rate limiter'],
    ['「限流器」。', '限流器'],
    ['\n\n', ''],
    ['x'.repeat(61), ''],
    ['a\u0000b\u202Ec', 'abc'],
  ])('%j is %j', (said, title) => expect(plainTitle(said)).toBe(title));
});
