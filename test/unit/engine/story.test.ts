import { expect, test } from 'vitest';
import { Story } from '../../kit/story';

const calc = 'f0/src/calc.js';

test('C01 a hand edit made after a turn survives a rewind as a merge, and keep and restore do as they say', async () => {
  const tell = async (): Promise<{ story: Story; first: string }> => {
    const story = new Story();
    story.workspace.put(calc, 'a=1\nb=2\nc=3\n');
    const { user } = await story.say('one', [{ do: 'edit', file: calc, line: 1, text: 'b=20' }]);
    story.workspace.put(calc, 'a=1\nb=20\nc=33\n');
    await story.say('two', [{ do: 'edit', file: calc, line: 0, text: 'a=10' }]);
    return { story, first: user };
  };
  const merged = await tell();
  const plan = await merged.story.plan({ verb: 'rewind', messageId: merged.first, scope: 'both' });
  expect(plan.files.files.map((file) => [file.file, file.kind, file.choices])).toEqual([
    [calc, 'merge', ['merge', 'keep', 'restore']],
  ]);
  await merged.story.rewind(merged.first);
  expect(merged.story.workspace.text(calc)).toBe('a=1\nb=2\nc=33\n');

  const restored = await tell();
  await restored.story.rewind(restored.first, 'both', 'restore');
  expect(restored.story.workspace.text(calc)).toBe('a=1\nb=2\nc=3\n');
  await restored.story.undo();
  expect(restored.story.workspace.text(calc)).toBe('a=10\nb=20\nc=33\n');

  const kept = await tell();
  await kept.story.rewind(kept.first, 'both', 'keep');
  expect(kept.story.workspace.text(calc)).toBe('a=10\nb=20\nc=33\n');
  expect(Object.keys(kept.story.session.standing.apart)).toEqual([calc]);
});

test('C17 going back and forth gives each point its exact text, and the old branch stays reachable', async () => {
  const story = new Story();
  story.workspace.put('f0/f.txt', '0\n');
  const turns = [];
  for (const text of ['1\n', '2\n', '3\n'])
    turns.push(await story.say(text, [{ do: 'write', file: 'f0/f.txt', text }]));
  const [one, two, three] = turns;
  if (one === undefined || two === undefined || three === undefined) throw new Error('three turns');
  for (let round = 0; round < 5; round++) {
    await story.rewind(two.user);
    expect(story.workspace.text('f0/f.txt')).toBe('1\n');
    await story.checkout(three.reply);
    expect(story.workspace.text('f0/f.txt')).toBe('3\n');
    await story.rewind(one.user);
    expect(story.workspace.text('f0/f.txt')).toBe('0\n');
    await story.rewind(three.user);
    expect(story.workspace.text('f0/f.txt')).toBe('2\n');
  }
  await story.rewind(two.user);
  await story.say('2b', [{ do: 'write', file: 'f0/f.txt', text: '2b\n' }]);
  await story.move({ verb: 'switch', messageId: two.user, scope: 'both' });
  expect(story.session.standing.head).toBe(three.reply);
  expect(story.workspace.text('f0/f.txt')).toBe('3\n');
});

test('C43 chat and files move apart, and rewinding later gives what lay on disk when the turn began', async () => {
  const story = new Story();
  story.workspace.put('f0/f', '0\n');
  const first = await story.say('U1', [{ do: 'write', file: 'f0/f', text: '1\n' }]);
  const second = await story.say('U2', [{ do: 'write', file: 'f0/f', text: '2\n' }]);
  await story.rewind(first.user, 'chat');
  expect(story.workspace.text('f0/f')).toBe('2\n');
  expect(story.session.standing).toEqual({ head: null, filesHead: second.reply, apart: {} });
  const again = await story.say('U1b', [{ do: 'write', file: 'f0/f', text: '3\n' }]);
  await story.rewind(again.user);
  expect(story.workspace.text('f0/f')).toBe('2\n');
});

test('C10 a file deleted, made again and edited in one turn comes back as it was before the turn', async () => {
  const story = new Story();
  story.workspace.put('f0/cfg.json', '{"k":1}\n');
  const before = story.workspace.snapshot();
  const turn = await story.say('all at once', [
    { do: 'delete', file: 'f0/cfg.json' },
    { do: 'write', file: 'f0/cfg.json', text: '{}\n' },
    { do: 'edit', file: 'f0/cfg.json', line: 0, text: '{"a":2}' },
    { do: 'write', file: 'f0/tmp.txt', text: 't' },
    { do: 'delete', file: 'f0/tmp.txt' },
  ]);
  const after = story.workspace.snapshot();
  await story.rewind(turn.user);
  expect(story.workspace.snapshot()).toEqual(before);
  await story.checkout(turn.reply);
  expect(story.workspace.snapshot()).toEqual(after);
});

test('C28 folders made in the turn go when they are empty; a file somebody put there stays', async () => {
  const story = new Story();
  story.workspace.put('f0/old/o.txt', 'o\n');
  const turn = await story.say('make', [
    { do: 'write', file: 'f0/a/b/c/new.txt', text: 'n\n' },
    { do: 'write', file: 'f0/old/x.txt', text: 'x\n' },
  ]);
  await story.rewind(turn.user);
  expect(Object.keys(story.workspace.snapshot())).toEqual(['f0/old/', 'f0/old/o.txt']);
  await story.checkout(turn.reply);
  expect(story.workspace.text('f0/a/b/c/new.txt')).toBe('n\n');
  story.workspace.put('f0/a/keep.txt', 'mine\n');
  await story.rewind(turn.user);
  expect(Object.keys(story.workspace.snapshot())).toEqual([
    'f0/a/',
    'f0/a/keep.txt',
    'f0/old/',
    'f0/old/o.txt',
  ]);
});

test('C04 undoing a turn that changed nothing writes no file', async () => {
  const story = new Story();
  story.workspace.put('f0/a.txt', 'new\n');
  const turn = await story.say('only a question');
  await story.rewind(turn.user);
  expect(story.workspace.writes).toEqual([]);
});

test('C08 a lost checkpoint leaves the file and names it; the others come back', async () => {
  const story = new Story();
  story.workspace.put('f0/a.txt', 'a\n');
  story.workspace.put('f0/b.txt', 'b\n');
  const turn = await story.say('both', [
    { do: 'write', file: 'f0/a.txt', text: 'a1\n' },
    { do: 'write', file: 'f0/b.txt', text: 'b1\n' },
  ]);
  story.blobs.lost.add(await story.blobs.put(new TextEncoder().encode('a\n')));
  const move = await story.rewind(turn.user);
  expect(story.workspace.snapshot()).toEqual({ 'f0/a.txt': 'a1\n', 'f0/b.txt': 'b\n' });
  expect(move.results).toContainEqual({
    file: 'f0/a.txt',
    outcome: 'uncovered',
    reason: 'blob missing',
  });
  expect(story.session.standing.apart).toEqual({ 'f0/a.txt': turn.reply });
});

test('a renamed file moves back by its name, and a file that cannot be written is told and retried', async () => {
  const story = new Story();
  story.workspace.put('f0/p.txt', 'p\n');
  const turn = await story.say('rename', [
    { do: 'rename', file: 'f0/p.txt', to: 'f0/sub/q.txt' },
    { do: 'edit', file: 'f0/sub/q.txt', line: 0, text: 'q' },
  ]);
  const move = await story.rewind(turn.user);
  expect(story.workspace.snapshot()).toEqual({ 'f0/p.txt': 'p\n' });
  expect(move.links.map((link) => link.type)).toEqual(['rename', 'change', 'folder']);
  await story.checkout(turn.reply);
  expect(story.workspace.snapshot()).toEqual({ 'f0/sub/': 'folder', 'f0/sub/q.txt': 'q\n' });

  story.workspace.failing.add('f0/sub/q.txt');
  const failed = await story.rewind(turn.user);
  expect(failed.results?.map((result) => result.outcome)).toContain('failed');
  expect(story.session.standing.head).toBeNull();
  story.workspace.failing.clear();
  await story.move({ verb: 'files', scope: 'files' });
  expect(story.workspace.text('f0/p.txt')).toBe('p\n');
});

test('a file removed by hand is free for a rename, and the way back and forth stays exact', async () => {
  const story = new Story();
  story.workspace.put('f0/p.txt', 'p\n');
  const first = await story.say('make q', [{ do: 'write', file: 'f0/q.txt', text: 'q\n' }]);
  story.workspace.disk.delete('f0/q.txt');
  const second = await story.say('rename', [{ do: 'rename', file: 'f0/p.txt', to: 'f0/q.txt' }]);
  await story.rewind(first.user);
  expect(story.workspace.snapshot()).toEqual({ 'f0/p.txt': 'p\n' });
  const move = await story.checkout(second.reply);
  expect(move.results?.map((result) => result.outcome)).not.toContain('kept');
  expect(story.workspace.snapshot()).toEqual({ 'f0/q.txt': 'p\n' });
});
