import { assert } from 'chai';
import { activate, api, codeOf, Folder, replyOf } from '../kit';
import { sleep, until } from './kit';

describe('moves beside a running turn', () => {
  let folder: Folder;
  let sessionId: string;
  const f = () => folder.text('f');

  before(activate);
  beforeEach(async () => {
    folder = new Folder('running');
    await folder.put('f', '0\n');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  const slow = (): string =>
    [
      `write ${folder.path('f')} with 1\\n`,
      'wait 3',
      `write ${folder.path('f')} with late\\n`,
    ].join('\n');
  const running = (text: string) =>
    until(async () => (await f()) === text && (await api.getSession(sessionId)).running);

  it('C68 a move during a turn is refused; stopped and settled, nothing comes late', async () => {
    const turn = api.send(sessionId, slow());
    await running('1\n');
    const [point] = await api.points(sessionId);
    const target = { sessionId, messageId: point?.messageId };
    assert.equal(await codeOf(api.move('rewind', target)), 'run_active');
    assert.equal(await f(), '1\n');
    await api.call('stop', { sessionId });
    assert.equal((await turn).status, 'interrupted');

    const [one, two] = await Promise.all([api.move('rewind', target), api.move('rewind', target)]);
    assert.equal(one.moveId, two.moveId);
    assert.equal(await f(), '0\n');
    await sleep(4_000);
    assert.equal(await f(), '0\n');
    const { view, draft } = await api.getSession(sessionId);
    assert.deepEqual(view, []);
    assert.equal(draft.text, slow());
    const next = await api.send(sessionId, `append next to ${folder.path('f')}`);
    assert.equal(next.status, 'done');
    assert.equal(await f(), '0\nnext\n');
    assert.deepEqual((await api.getSession(sessionId)).view, [next.userMessageId, replyOf(next)]);
  });

  it('C68 a fork made while its source runs takes the state its turn began from', async () => {
    const first = await api.send(sessionId, 'say hello');
    const turn = api.send(sessionId, slow());
    await running('1\n');
    const fork = await api.call<{ sessionId: string }>('fork', { sessionId });
    const made = await api.getSession(fork.sessionId);
    assert.isFalse(made.running);
    assert.deepEqual(made.view, [first.userMessageId, replyOf(first)]);
    assert.equal(made.draft.text, slow());
    assert.equal((await api.send(fork.sessionId, 'say beside')).status, 'done');
    assert.isTrue((await api.getSession(sessionId)).running);
    await api.call('stop', { sessionId });
    await turn;
  });
});
