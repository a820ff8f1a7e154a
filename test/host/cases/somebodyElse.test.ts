import { assert } from 'chai';
import { activate, api, codeOf, Folder } from '../kit';
import { outcomes, sleep, texts, writtenAt } from './kit';

describe('work the agent did not make', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('others');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  it('C01 hand edits between two turns stay, and what no turn wrote is not touched', async () => {
    await folder.put('src/calc.js', 'a=1\nb=2\nc=3\n');
    await folder.put('notes.md', 'n\n');
    const first = await api.send(
      sessionId,
      `replace b=2 with b=20 in ${folder.path('src/calc.js')}`,
    );
    assert.equal(await folder.text('src/calc.js'), 'a=1\nb=20\nc=3\n');
    await folder.put('src/calc.js', 'a=1\nb=20\nc=33\n');
    await folder.put('notes.md', 'n mine\n');
    await folder.put('mine.txt', 'keep\n');
    const second = await api.send(
      sessionId,
      `replace a=1 with a=10 in ${folder.path('src/calc.js')}`,
    );
    assert.equal(await folder.text('src/calc.js'), 'a=10\nb=20\nc=33\n');
    const before = await writtenAt(folder, 'notes.md', 'mine.txt');
    await sleep(20);

    const moved = await api.move('rewind', { sessionId, messageId: first.userMessageId });
    // Named as holding more than the agent's own work: it is merged, not gone back to.
    assert.deepEqual(outcomes(folder, moved), { 'src/calc.js': 'merged' });
    assert.deepEqual(await texts(folder, 'src/calc.js', 'notes.md', 'mine.txt'), [
      'a=1\nb=2\nc=33\n',
      'n mine\n',
      'keep\n',
    ]);
    assert.deepEqual(await writtenAt(folder, 'notes.md', 'mine.txt'), before);

    const messageId = second.assistantMessageId;
    await api.move('checkout', { sessionId, messageId });
    assert.equal(await folder.text('src/calc.js'), 'a=10\nb=20\nc=33\n');
  });

  it('C01 an edit that cannot be merged is asked about; kept it stands apart, replaced it comes back with undo', async () => {
    await folder.put('calc.js', 'b=2\n');
    const turn = await api.send(sessionId, `replace b=2 with b=20 in ${folder.path('calc.js')}`);
    await folder.put('calc.js', 'b=200 // mine\n');
    const target = { sessionId, messageId: turn.userMessageId };
    assert.equal(await codeOf(api.move('rewind', { ...target, onConflict: 'ask' })), 'conflict');
    assert.equal(await folder.text('calc.js'), 'b=200 // mine\n');

    const kept = await api.move('rewind', target);
    assert.deepEqual(outcomes(folder, kept), { 'calc.js': 'kept' });
    assert.equal(await folder.text('calc.js'), 'b=200 // mine\n');
    assert.deepEqual((await api.getSession(sessionId)).apart, [folder.uri('calc.js').toString()]);
    await api.move('undoMove', { sessionId });

    await api.move('rewind', { ...target, onConflict: 'restore' });
    assert.equal(await folder.text('calc.js'), 'b=2\n');
    await api.move('undoMove', { sessionId });
    assert.equal(await folder.text('calc.js'), 'b=200 // mine\n');
  });

  it('C02 rewinding one session leaves what another one did', async () => {
    await folder.put('one.txt', '1\n');
    await folder.put('two.txt', '2\n');
    await folder.put('both.txt', 'x\ny\n');
    const first = await api.send(
      sessionId,
      [
        `write ${folder.path('one.txt')} with 1 S1\\n`,
        `replace x with x S1 in ${folder.path('both.txt')}`,
      ].join('\n'),
    );
    const other = await api.newSession();
    const second = await api.send(
      other,
      [
        `write ${folder.path('two.txt')} with 2 S2\\n`,
        `create ${folder.path('s2.txt')} with new\\n`,
        `replace y with y S2 in ${folder.path('both.txt')}`,
      ].join('\n'),
    );
    assert.equal(second.status, 'done');
    assert.equal(await folder.text('both.txt'), 'x S1\ny S2\n');
    const before = await writtenAt(folder, 'two.txt', 's2.txt');
    await sleep(20);

    const moved = await api.move('rewind', { sessionId, messageId: first.userMessageId });
    const { 'both.txt': both, ...rest } = outcomes(folder, moved);
    assert.include(['merged', 'kept'], both);
    assert.deepEqual(rest, { 'one.txt': 'restored' });
    assert.equal(await folder.text('one.txt'), '1\n');
    assert.equal(await folder.text('both.txt'), both === 'merged' ? 'x\ny S2\n' : 'x S1\ny S2\n');
    assert.deepEqual(await texts(folder, 'two.txt', 's2.txt'), ['2 S2\n', 'new\n']);
    assert.deepEqual(await writtenAt(folder, 'two.txt', 's2.txt'), before);

    const reader = await api.newSession();
    const all = ['one.txt', 'two.txt', 'both.txt', 's2.txt'];
    const read = await api.send(reader, all.map((file) => `read ${folder.path(file)}`).join('\n'));
    const untouched = await writtenAt(folder, ...all);
    const back = await api.move('rewind', {
      sessionId: reader,
      messageId: read.userMessageId,
    });
    assert.deepEqual(back.files, []);
    assert.deepEqual(await writtenAt(folder, ...all), untouched);
  });

  it('C02 two sessions going back at once each get their own answer and their own files', async () => {
    await folder.put('one.txt', '1\n');
    await folder.put('two.txt', '2\n');
    const other = await api.newSession();
    const [first, second] = await Promise.all([
      api.send(sessionId, `write ${folder.path('one.txt')} with 1 S1\\n`),
      api.send(other, `write ${folder.path('two.txt')} with 2 S2\\n`),
    ]);
    const [one, two] = await Promise.all([
      api.move('rewind', { sessionId, messageId: first.userMessageId }),
      api.move('rewind', { sessionId: other, messageId: second.userMessageId }),
    ]);
    assert.equal(one.sessionId, sessionId);
    assert.equal(two.sessionId, other);
    assert.notEqual(one.moveId, two.moveId);
    assert.deepEqual(outcomes(folder, one), { 'one.txt': 'restored' });
    assert.deepEqual(outcomes(folder, two), { 'two.txt': 'restored' });
    assert.deepEqual(await texts(folder, 'one.txt', 'two.txt'), ['1\n', '2\n']);
  });

  it('C06 opening and switching sessions never writes', async () => {
    await api.send(sessionId, `create ${folder.path('hello.md')} with Hello World\\n`);
    const other = await api.newSession();
    await api.send(other, `write ${folder.path('hello.md')} with Hello Anna\\n`);
    assert.equal(await folder.text('hello.md'), 'Hello Anna\n');
    const before = await writtenAt(folder, 'hello.md');
    await sleep(20);
    for (const id of [sessionId, other, sessionId]) {
      await api.call('openSession', { sessionId: id });
      assert.equal(await folder.text('hello.md'), 'Hello Anna\n');
    }
    assert.equal(await codeOf(api.move('retryFiles', { sessionId })), 'nothing_to_do');
    assert.deepEqual(await writtenAt(folder, 'hello.md'), before);
  });
});
