import { assert } from 'chai';
import { activate, api, Folder, replyOf } from './kit';

const originalA = 'one\r\ntwo\r\nthree';
const originalB = 'alpha\nbeta\n';

describe('the main job', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('job');
    await folder.put('a.txt', originalA);
    await folder.put('b.txt', originalB);
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  const firstText = (): string =>
    [
      `replace two with TWO in ${folder.path('a.txt')}`,
      `replace beta with BETA in ${folder.path('b.txt')}`,
      `create ${folder.path('sub/c.txt')} with new\\n`,
    ].join('\n');

  const disk = async (): Promise<(string | undefined)[]> => [
    await folder.text('a.txt'),
    await folder.text('b.txt'),
    await folder.text('sub/c.txt'),
  ];
  const originals = [originalA, originalB, undefined];
  const changed = ['one\r\nTWO\r\nthree', 'alpha\nBETA\n', 'new\n'];

  it('one turn and one rewind: the files change and are back byte for byte @oldest', async () => {
    const text = firstText();
    const turn = await api.send(sessionId, text);
    assert.equal(turn.status, 'done', JSON.stringify(turn));
    assert.deepEqual(await disk(), changed);

    const points = await api.points(sessionId);
    assert.deepEqual(
      points.map(({ n, messageId, filesChanged }) => ({ n, messageId, filesChanged })),
      [{ n: 1, messageId: turn.userMessageId, filesChanged: 3 }],
    );

    const moved = await api.move('rewind', { sessionId, turns: 1 });
    assert.deepEqual(await disk(), originals);
    assert.equal(moved.headId, null);
    assert.equal(moved.userText, text);
    assert.equal(moved.turnsReverted, 1);
    assert.deepEqual(moved.errors, []);
    assert.sameMembers(
      [...moved.restoredPaths].filter((uri) => uri.endsWith('.txt')),
      ['a.txt', 'b.txt', 'sub/c.txt'].map((file) => folder.uri(file).toString()),
    );

    const session = await api.getSession(sessionId);
    assert.equal(session.draft.text, text);
    assert.isNull(session.headId);
    assert.isNull(session.filesHeadId);
    assert.deepEqual(session.view, []);
    assert.lengthOf(session.nodes, 2);
  });

  it('another way from there, back to the first, undo and redo: nothing is lost', async () => {
    const first = await api.send(sessionId, firstText());
    await api.move('rewind', { sessionId, messageId: first.userMessageId });
    const second = await api.send(sessionId, `append END to ${folder.path('a.txt')}`);
    assert.equal(second.status, 'done');
    const other = await disk();
    assert.include(other[0], 'END');
    assert.equal(other[1], originalB);

    const back = await api.move('switchBranch', { sessionId, messageId: first.userMessageId });
    assert.equal(back.headId, first.assistantMessageId);
    assert.deepEqual(await disk(), changed);

    const undone = await api.move('undoMove', { sessionId });
    assert.equal(undone.headId, second.assistantMessageId);
    assert.deepEqual(await disk(), other);

    const redone = await api.move('redoMove', { sessionId });
    assert.equal(redone.headId, first.assistantMessageId);
    assert.deepEqual(await disk(), changed);
    assert.lengthOf((await api.getSession(sessionId)).nodes, 4);
  });

  it('a fork rewinds the files by itself and leaves its source alone', async () => {
    const first = await api.send(sessionId, firstText());
    const fork = await api.call<{ sessionId: string; title: string }>('fork', { sessionId });
    assert.match(fork.title, /^Fork #1 /u);
    const rows = await api.call<{ id: string; current: boolean }[]>('listSessions', {});
    assert.isTrue(rows.some((row) => row.id === fork.sessionId && row.current));

    await api.move('rewind', { sessionId: fork.sessionId, messageId: first.userMessageId });
    assert.deepEqual(await disk(), originals);
    const source = await api.getSession(sessionId);
    assert.equal(source.headId, first.assistantMessageId);
  });

  it('regenerate gives a sibling reply from the state the first one began from', async () => {
    const first = await api.send(sessionId, firstText());
    const again = await api.call<typeof first>('regenerate', { sessionId, confirm: false });
    assert.equal(again.status, 'done', JSON.stringify(again));
    assert.equal(again.userMessageId, first.userMessageId);
    assert.notEqual(again.assistantMessageId, first.assistantMessageId);
    assert.deepEqual(await disk(), changed);
    const { nodes, view } = await api.getSession(sessionId);
    assert.deepEqual(view, [first.userMessageId, replyOf(again)]);
    assert.lengthOf(
      nodes.filter((node) => node.parentId === first.userMessageId),
      2,
    );
  });

  it('edit and resend takes the turn back and sends the other text beside it', async () => {
    const first = await api.send(sessionId, firstText());
    const edited = await api.call<typeof first>('editAndResend', {
      sessionId,
      messageId: first.userMessageId,
      text: `replace three with 3 in ${folder.path('a.txt')}`,
      confirm: false,
    });
    assert.equal(edited.status, 'done', JSON.stringify(edited));
    assert.deepEqual(await disk(), ['one\r\ntwo\r\n3', originalB, undefined]);
    const { nodes, view } = await api.getSession(sessionId);
    assert.deepEqual(view, [edited.userMessageId, replyOf(edited)]);
    assert.lengthOf(
      nodes.filter((node) => node.parentId === null),
      2,
    );
  });

  it('a rewind in the middle keeps the earlier turns, and hand edits on other lines', async () => {
    await folder.put('long.txt', 'l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\n');
    await api.send(sessionId, `replace l1 with L1 in ${folder.path('long.txt')}`);
    const second = await api.send(sessionId, `replace l9 with L9 in ${folder.path('long.txt')}`);
    await folder.put('long.txt', 'L1\nl2\nl3\nl4\nmine\nl6\nl7\nl8\nL9\n');
    const moved = await api.move('rewind', { sessionId, messageId: second.userMessageId });
    assert.equal(await folder.text('long.txt'), 'L1\nl2\nl3\nl4\nmine\nl6\nl7\nl8\nl9\n');
    assert.deepEqual(
      moved.files.map(({ outcome }) => outcome),
      ['merged'],
    );
    assert.lengthOf((await api.getSession(sessionId)).view, 2);
  });
});
