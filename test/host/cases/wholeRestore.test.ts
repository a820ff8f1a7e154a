import { assert } from 'chai';
import { activate, api, Folder, replyOf } from '../kit';
import { texts } from './kit';

describe('restores are whole', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('whole');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  it('C09 going back over several turns restores every file, and forward again', async () => {
    await folder.put('script.js', 's\n');
    await folder.put('index.html', 'h\n');
    const disk = () => texts(folder, 'script.js', 'index.html');
    const first = await api.send(sessionId, `append //1 to ${folder.path('script.js')}`);
    const second = await api.send(sessionId, `append <!--2--> to ${folder.path('index.html')}`);
    const third = await api.send(sessionId, `append //3 to ${folder.path('script.js')}`);
    assert.deepEqual(await disk(), ['s\n//1\n//3\n', 'h\n<!--2-->\n']);

    await api.move('rewind', { sessionId, messageId: first.userMessageId });
    assert.deepEqual(await disk(), ['s\n', 'h\n']);
    await api.move('checkout', { sessionId, messageId: replyOf(third) });
    assert.deepEqual(await disk(), ['s\n//1\n//3\n', 'h\n<!--2-->\n']);
    await api.move('rewind', { sessionId, messageId: second.userMessageId });
    assert.deepEqual(await disk(), ['s\n//1\n', 'h\n']);
  });

  it('C10 a file deleted, made again and edited under three spellings comes back as it was', async () => {
    await folder.put('cfg.json', '{"k":1}\n');
    const cfg = folder.path('cfg.json');
    const turn = await api.send(
      sessionId,
      [
        `delete ${cfg}`,
        `create ${cfg} with {}\\n`,
        `replace {} with {2} in ./${cfg}`,
        `replace 2} with 2,3} in ${folder.path('sub/../cfg.json')}`,
        `create ${folder.path('tmp.txt')} with t`,
        `delete ${folder.path('tmp.txt')}`,
      ].join('\n'),
    );
    assert.equal(turn.status, 'done');
    assert.deepEqual(await texts(folder, 'cfg.json', 'tmp.txt'), ['{2,3}\n', undefined]);
    const reply = (await api.getSession(sessionId)).nodes.find(({ id }) => id === replyOf(turn));
    assert.deepEqual(
      reply?.files.map(({ uri, kind }) => [uri, kind]),
      [[folder.uri('cfg.json').toString(), 'changed']],
    );

    const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.deepEqual(back.errors, []);
    assert.deepEqual(await texts(folder, 'cfg.json', 'tmp.txt'), ['{"k":1}\n', undefined]);
    const forward = await api.move('checkout', { sessionId, messageId: replyOf(turn) });
    assert.deepEqual(forward.errors, []);
    assert.deepEqual(await texts(folder, 'cfg.json', 'tmp.txt'), ['{2,3}\n', undefined]);
  });

  it('C12 no repository is needed, and the first message can be taken back', async () => {
    await folder.put('a.txt', '1\n');
    const turn = await api.send(sessionId, `write ${folder.path('a.txt')} with 2\\n`);
    assert.equal(await folder.text('a.txt'), '2\n');
    const back = await api.move('rewind', { sessionId, messageId: turn.userMessageId });
    assert.equal(await folder.text('a.txt'), '1\n');
    assert.deepEqual(back.restoredPaths, [folder.uri('a.txt').toString()]);
  });

  it('C17 rewind is no one-way door: every point gives its own text, however often', async () => {
    await folder.put('f.txt', '0\n');
    const f = () => folder.text('f.txt');
    const replies: string[] = [];
    const messages: string[] = [];
    for (const n of [1, 2, 3]) {
      const turn = await api.send(sessionId, `write ${folder.path('f.txt')} with ${n}\\n`);
      replies.push(replyOf(turn));
      messages.push(turn.userMessageId);
    }
    const tip = { sessionId, messageId: replies[2] };
    for (let round = 0; round < 5; round++) {
      await api.move('rewind', { sessionId, messageId: messages[1] });
      assert.equal(await f(), '1\n');
      await api.move('checkout', tip);
      assert.equal(await f(), '3\n');
      await api.move('rewind', { sessionId, messageId: messages[0] });
      assert.equal(await f(), '0\n');
      await api.move('checkout', tip);
      assert.equal(await f(), '3\n');
    }
    await api.move('rewind', { sessionId, messageId: messages[1] });
    const other = await api.send(sessionId, `write ${folder.path('f.txt')} with 2b\\n`);
    assert.equal(await f(), '2b\n');
    await api.move('switchBranch', { sessionId, messageId: messages[1] });
    assert.equal(await f(), '3\n');
    const { view, nodes } = await api.getSession(sessionId);
    assert.equal(view.at(-1), replies[2]);
    assert.lengthOf(nodes, 8);
    await api.move('switchBranch', { sessionId, messageId: other.userMessageId });
    assert.equal(await f(), '2b\n');
  });
});
