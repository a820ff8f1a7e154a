import { assert } from 'chai';
import * as vscode from 'vscode';
import type { MoveResult } from '../../src/host/commands/results';
import type { PendingApproval } from '../../src/engine/approvals';
import type { TurnResult } from '../../src/engine/liveReply';
import { activate, api, codeOf, Folder, messageOf, replyOf } from './kit';

describe('commands', () => {
  let folder: Folder;
  let sessionId: string;

  before(activate);
  beforeEach(async () => {
    folder = new Folder('commands');
    sessionId = await api.newSession();
  });
  afterEach(() => folder.remove());

  const say = (text: string) => api.send(sessionId, `say ${text}`);
  const head = async () => (await api.getSession(sessionId)).headId;

  describe('arguments', () => {
    it('an unknown key is refused by its name', async () => {
      const message = await messageOf(api.call('getSession', { sesionId: 'x' }));
      assert.match(message, /^invalid: .*sesionId/u);
      assert.match(
        await messageOf(api.call('rewind', { sessionId, turns: 1, force: true })),
        /^invalid: .*force/u,
      );
    });

    it('what is missing or has the wrong type is named', async () => {
      assert.match(await messageOf(api.call('checkout', { sessionId })), /^invalid: .*messageId/u);
      assert.match(
        await messageOf(api.call('rewind', { sessionId, turns: 'two' })),
        /^invalid: .*turns/u,
      );
      assert.match(
        await messageOf(api.call('rewind', { sessionId, turns: 1, scope: 'all' })),
        /^invalid: .*scope/u,
      );
      assert.equal(await codeOf(api.call('send', { sessionId, text: '  ' })), 'invalid');
      assert.equal(
        await codeOf(api.call('rewind', { sessionId, turns: 1, messageId: 'x' })),
        'invalid',
      );
      assert.equal(await codeOf(api.call('rewind', { sessionId, confirm: false })), 'invalid');
    });

    it('the code is in the name too, and keys of a menu are taken off', async () => {
      const turn = await say('hello');
      const menu = { webview: 'retrace.chat', webviewSection: 'user', sessionId };
      const moved = await api.call<{ headId: string | null }>('rewind', {
        ...menu,
        messageId: turn.userMessageId,
      });
      assert.isNull(moved.headId);
      try {
        await api.call('openSession', { sessionId: 'nothing' });
        assert.fail('It should have thrown.');
      } catch (error) {
        assert.instanceOf(error, Error);
        assert.include(error.name, 'not_found');
      }
    });
  });

  describe('what is not there', () => {
    it('sessions, messages and models are not found', async () => {
      await say('hello');
      assert.equal(await codeOf(api.call('getSession', { sessionId: 'none' })), 'not_found');
      for (const command of ['rewind', 'checkout', 'switchBranch', 'regenerate']) {
        const argument = { sessionId, messageId: 'none', confirm: false };
        assert.equal(await codeOf(api.call(command, argument)), 'not_found', command);
      }
      assert.equal(await codeOf(api.call('fork', { sessionId, messageId: 'none' })), 'not_found');
      assert.equal(await codeOf(api.send(sessionId, 'hi', { model: 'none' })), 'not_found');
      assert.equal(await codeOf(api.call('selectModel', { model: 'none' })), 'not_found');
      assert.equal(
        await codeOf(api.call('answerApproval', { approvalId: 'none', answer: 'once' })),
        'not_found',
      );
    });

    it('a session with nothing in it has nothing to do', async () => {
      for (const command of ['undoMove', 'redoMove', 'retryFiles', 'regenerate'])
        assert.equal(await codeOf(api.move(command, { sessionId })), 'nothing_to_do', command);
      assert.deepEqual(await api.points(sessionId), []);
    });
  });

  it('turns count back from the head; anything else is refused with the range', async () => {
    await say('one');
    const second = await say('two');
    const points = await api.points(sessionId);
    assert.deepEqual(
      points.map(({ n, text }) => [n, text]),
      [
        [1, 'say two'],
        [2, 'say one'],
      ],
    );
    for (const turns of [0, -1, 1.5, 3, 1e9]) {
      const message = await messageOf(api.move('rewind', { sessionId, turns }));
      assert.match(message, /^out_of_range: .*1.*2/u, String(turns));
    }
    assert.match(
      await messageOf(api.call('fork', { sessionId, turns: 3 })),
      /^out_of_range: .*0.*2/u,
    );
    assert.equal(await head(), second.assistantMessageId);
    const moved = await api.move('rewind', { sessionId, turns: 2 });
    assert.isNull(moved.headId);
    assert.equal(moved.turnsReverted, 2);
    assert.equal(moved.userText, 'say one');
  });

  it('a running turn refuses moves and sends of its session only, and can be stopped', async () => {
    const first = await say('ready');
    const running = api.send(sessionId, 'say begin\nwait 30');
    await until(async () => (await api.getSession(sessionId)).running);
    const { userMessageId: messageId } = first;
    assert.equal(await codeOf(api.send(sessionId, 'say no')), 'run_active');
    assert.equal(await codeOf(api.move('rewind', { sessionId, messageId })), 'run_active');
    assert.equal(await codeOf(api.move('regenerate', { sessionId })), 'run_active');
    assert.equal(await codeOf(api.move('undoMove', { sessionId })), 'run_active');
    const other = await api.newSession();
    assert.equal((await api.send(other, 'say elsewhere')).status, 'done');
    await api.call('stop', { sessionId });
    assert.equal((await running).status, 'interrupted');
    assert.isFalse((await api.getSession(sessionId)).running);
    assert.equal((await api.move('rewind', { sessionId, messageId })).turnsReverted, 2);
  });

  it('a conflict is refused, kept apart, brought here, and undone', async () => {
    await folder.put('x.txt', 'old\n');
    const turn = await api.send(sessionId, `replace old with new in ${folder.path('x.txt')}`);
    await folder.put('x.txt', 'mine\n');
    const target = { sessionId, messageId: turn.userMessageId };
    assert.match(
      await messageOf(api.move('rewind', { ...target, onConflict: 'ask' })),
      /^conflict: .*x\.txt/u,
    );
    assert.equal(await head(), turn.assistantMessageId);

    const kept = await api.move('rewind', target);
    const uri = folder.uri('x.txt').toString();
    assert.deepEqual(
      kept.files.map((file) => [file.uri, file.outcome]),
      [[uri, 'kept']],
    );
    assert.equal(await folder.text('x.txt'), 'mine\n');
    assert.deepEqual((await api.getSession(sessionId)).apart, [uri]);

    await api.move('retryFiles', { sessionId, uris: [uri], onConflict: 'restore' });
    assert.equal(await folder.text('x.txt'), 'old\n');
    assert.deepEqual((await api.getSession(sessionId)).apart, []);

    await api.move('undoMove', { sessionId });
    assert.equal(await folder.text('x.txt'), 'mine\n');
    assert.deepEqual((await api.getSession(sessionId)).apart, [uri]);
  });

  it('scopes move the chat or the files alone', async () => {
    await folder.put('y.txt', 'old\n');
    const turn = await api.send(sessionId, `replace old with new in ${folder.path('y.txt')}`);
    const target = { sessionId, messageId: turn.userMessageId };
    await api.move('rewind', { ...target, scope: 'files' });
    assert.equal(await folder.text('y.txt'), 'old\n');
    assert.equal(await head(), turn.assistantMessageId);
    await api.move('undoMove', { sessionId });
    await api.move('rewind', { ...target, scope: 'chat' });
    assert.equal(await folder.text('y.txt'), 'new\n');
    const { headId, filesHeadId } = await api.getSession(sessionId);
    assert.isNull(headId);
    assert.equal(filesHeadId, turn.assistantMessageId);
    await api.move('checkout', { sessionId, messageId: replyOf(turn) });
    assert.equal(await head(), turn.assistantMessageId);
  });

  describe('slash commands', () => {
    it('/rewind lists, and its numbers stay bound until the next move', async () => {
      await say('one');
      await say('two');
      const listed = await api.call<{ points: unknown[] }>('send', { sessionId, text: '/rewind' });
      assert.lengthOf(listed.points, 2);
      await say('three');
      const second = (await api.points(sessionId)).find(({ text }) => text === 'say two');
      // Number 1 was "two" when it was shown, and still is.
      const moved = await api.call<MoveResult>('send', { sessionId, text: '/rewind 1' });
      assert.equal(moved.userText, 'say two');
      const { view, draft } = await api.getSession(sessionId);
      assert.lengthOf(view, 2);
      assert.notInclude(view, second?.messageId);
      assert.equal(draft.text, 'say two');
      await api.call('send', { sessionId, text: '/undo' });
      assert.lengthOf((await api.getSession(sessionId)).view, 6);
      // No list since: numbers count back from the head.
      await api.call('send', { sessionId, text: '/rewind 1' });
      assert.equal((await api.getSession(sessionId)).draft.text, 'say three');
    });

    it('what is no number in the range is refused with it and changes nothing', async () => {
      await say('one');
      const before = await api.getSession(sessionId);
      for (const argument of ['0', '-1', '2', '1.5', 'first', '1e0']) {
        const call = api.call('send', { sessionId, text: `/rewind ${argument}` });
        assert.match(await messageOf(call), /^out_of_range: .*1.*1/u, argument);
      }
      const attachments = [{ uri: folder.uri('x.txt').toString() }];
      assert.equal(
        await codeOf(api.call('send', { sessionId, text: '/rewind 1', attachments })),
        'invalid',
      );
      const call = api.call('send', { sessionId, text: '/fork 2' });
      assert.match(await messageOf(call), /^out_of_range: .*0.*1/u);
      assert.deepEqual(await api.getSession(sessionId), before);
    });

    it('an unknown word lists what there is; a path is text', async () => {
      const message = await messageOf(api.call('send', { sessionId, text: '/rewnd 1' }));
      assert.match(message, /^invalid: .*\/rewnd.*\/rewind.*\/help/u);
      assert.deepEqual((await api.getSession(sessionId)).nodes, []);
      assert.equal((await api.send(sessionId, '/etc/hosts is a file')).status, 'done');
      assert.lengthOf((await api.getSession(sessionId)).nodes, 2);
    });

    it('/regen, /fork, /new and /help do what their commands do', async () => {
      const first = await say('one');
      const again = await api.call<typeof first>('send', { sessionId, text: '/regen' });
      assert.equal(again.userMessageId, first.userMessageId);
      assert.notEqual(again.assistantMessageId, first.assistantMessageId);
      const fork = await api.call<{ sessionId: string }>('send', { sessionId, text: '/fork 1' });
      assert.deepEqual((await api.getSession(fork.sessionId)).view, []);
      const fresh = await api.call<{ sessionId: string }>('send', { sessionId, text: '/new' });
      assert.deepEqual((await api.getSession(fresh.sessionId)).nodes, []);
      const help = await api.call<{ text: string }>('send', { sessionId, text: '/help' });
      assert.include(help.text, '/rewind N');
    });
  });

  it('sessions are made, named, listed and opened; the current one is meant where none is named', async () => {
    const named = await api.newSession('By name');
    await api.call('renameSession', { sessionId, title: ' Another ' });
    const rows = await api.call<{ id: string; title: string; current: boolean }[]>('listSessions');
    assert.deepInclude(
      rows.map(({ id, title, current }) => ({ id, title, current })),
      { id: sessionId, title: 'Another', current: false },
    );
    assert.equal((await api.call<{ id: string }>('getSession')).id, named);
    await api.call('openSession', { sessionId });
    assert.equal((await api.call<{ id: string }>('getSession')).id, sessionId);
  });

  it('a fork at a message brings its text to the new composer', async () => {
    await say('one');
    const second = await say('two');
    const fork = await api.call<{ sessionId: string; forkedFrom: object }>('fork', {
      sessionId,
      messageId: second.userMessageId,
    });
    const made = await api.getSession(fork.sessionId);
    assert.lengthOf(made.view, 2);
    assert.equal(made.draft.text, 'say two');
    assert.deepEqual(fork.forkedFrom, { sessionId, messageId: second.userMessageId });
  });

  it('a draft is kept, sending it empties the composer, and sending another text does not', async () => {
    const draft = { text: 'say it', attachments: [{ uri: folder.uri('x.txt').toString() }] };
    await api.call('setDraft', { sessionId, draft });
    assert.deepEqual((await api.getSession(sessionId)).draft, draft);
    await say('other');
    assert.deepEqual((await api.getSession(sessionId)).draft, draft);
    await api.send(sessionId, draft.text, { attachments: draft.attachments });
    assert.deepEqual((await api.getSession(sessionId)).draft, { text: '', attachments: [] });
  });

  it('a file that steers tools is asked about, and only an answer lets it through', async () => {
    const file = folder.path('.env');
    const turn = api.send(sessionId, `create ${file} with A=1`);
    const [question] = await until(async () => {
      const open = await api.call<{ approvalId: string; kind: string; detail: string }[]>(
        'pendingApprovals',
        { sessionId },
      );
      return open.length > 0 ? open : undefined;
    });
    assert.ok(question);
    assert.equal(question.kind, 'write');
    assert.include(question.detail, '.env');
    assert.isUndefined(await folder.text('.env'));
    await api.call('answerApproval', { approvalId: question.approvalId, answer: 'once' });
    await turn;
    assert.equal(await folder.text('.env'), 'A=1');
  });

  it('Rewind… of the palette asks which message; closing it changes nothing', async () => {
    await say('one');
    const second = await say('two');
    const closed = api.call('rewind');
    await pause(800);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    // It crosses to the window and back, where nothing is null.
    assert.notOk(await closed);
    assert.equal(await head(), second.assistantMessageId);
    const accepted = api.call<{ userText: string }>('rewind');
    await pause(800);
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    assert.equal((await accepted).userText, 'say two');
  });

  it('the same regenerate asked for twice is one turn', async () => {
    await say('one');
    const again = () => api.call<TurnResult>('regenerate', { sessionId, confirm: false });
    const [one, two] = await Promise.all([again(), again()]);
    assert.equal(replyOf(one), replyOf(two));
    assert.lengthOf((await api.getSession(sessionId)).nodes, 3);
  });

  it('in mode Ask nothing is written, whatever the model calls; a fork takes the mode over', async () => {
    await api.call('selectMode', { sessionId, mode: 'ask' });
    assert.equal((await api.getSession(sessionId)).mode, 'ask');
    await api.send(sessionId, `create ${folder.path('asked.txt')} with one`);
    assert.isUndefined(await folder.text('asked.txt'));
    const fork = await api.call<{ sessionId: string }>('fork', { sessionId });
    assert.equal((await api.getSession(fork.sessionId)).mode, 'ask');
    await api.call('selectMode', { sessionId, mode: 'edit' });
    await api.send(sessionId, `create ${folder.path('asked.txt')} with two`);
    assert.include(await folder.text('asked.txt'), 'two');
    assert.equal(await codeOf(api.call('selectMode', { sessionId, mode: 'all' })), 'invalid');
  });

  it('a conversation that is too long goes on with older turns summarised', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const small = {
      id: 'small',
      provider: 'practice',
      model: 'practice-fast',
      contextWindow: 4000,
    };
    await configuration.update('retrace.models', [small], vscode.ConfigurationTarget.Global);
    try {
      await say(`one ${'x'.repeat(20_000)}`);
      await api.call('selectModel', { sessionId, model: 'small' });
      const failed = await say('two');
      assert.equal(failed.status, 'failed');
      assert.equal(failed.error?.code, 'too_long');
      assert.include(failed.error?.message, '4000');
      const result = await api.call<TurnResult>('continueSummarised', { sessionId });
      assert.equal(result.status, 'done');
      const { nodes, view } = await api.getSession(sessionId);
      assert.lengthOf(nodes, 7);
      assert.lengthOf(view, 7);
      assert.equal(nodes[4]?.role, 'summary');
      const moved = await api.call<MoveResult>('rewind', { sessionId, turns: 1, confirm: false });
      assert.equal(moved.headId, nodes[4]?.id);
    } finally {
      await configuration.update('retrace.models', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('whether a long turn goes on is asked, and what always asks is not allowed for good', async () => {
    const configuration = vscode.workspace.getConfiguration();
    await configuration.update('retrace.maxModelCalls', 1, vscode.ConfigurationTarget.Global);
    try {
      const running = api.send(sessionId, `create ${folder.path('.env')} with A=1`);
      const questions: PendingApproval[] = [];
      const ask = async (): Promise<PendingApproval> => {
        const found = await until(async () => {
          const [open] = await api.call<PendingApproval[]>('pendingApprovals', { sessionId });
          return open;
        });
        questions.push(found);
        return found;
      };
      const { approvalId } = await ask();
      assert.equal(
        await codeOf(api.call('answerApproval', { approvalId, answer: 'always' })),
        'invalid',
      );
      await api.call('answerApproval', { approvalId, answer: 'once' });
      const goOn = await ask();
      await api.call('answerApproval', { approvalId: goOn.approvalId, answer: 'deny' });
      const ended = await running;
      assert.deepEqual(
        questions.map(({ kind, answers }) => [kind, ...answers]),
        [
          ['write', 'once', 'session', 'deny'],
          ['continue', 'once', 'deny'],
        ],
      );
      assert.equal(ended.status, 'interrupted');
      assert.equal(await folder.text('.env'), 'A=1');
    } finally {
      await configuration.update(
        'retrace.maxModelCalls',
        undefined,
        vscode.ConfigurationTarget.Global,
      );
    }
  });

  it('a model is chosen for one session, and a key only for a model that takes one', async () => {
    await api.call('selectModel', { sessionId, model: 'practice' });
    assert.equal(await codeOf(api.call('setApiKey', { model: 'practice', key: 'k' })), 'invalid');
    const configuration = vscode.workspace.getConfiguration();
    const models = [
      { id: 'own', provider: 'openai-compatible', model: 'm', baseUrl: 'http://localhost:9/v1' },
    ];
    await configuration.update('retrace.models', models, vscode.ConfigurationTarget.Global);
    try {
      await api.call('setApiKey', { model: 'own', key: 'secret' });
      await api.call('selectModel', { sessionId, model: 'own' });
    } finally {
      await api.call('setApiKey', { model: 'own', key: '' });
      await configuration.update('retrace.models', undefined, vscode.ConfigurationTarget.Global);
    }
    // The chosen model is gone from the settings: the session falls back to one that is there.
    assert.equal((await say('still here')).status, 'done');
  });
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until a question is answered with something true, and returns that. */
async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await pause(25);
  }
  throw new Error('It did not happen.');
}
