import { describe, expect, test } from 'vitest';
import type { MessageEntry, ReplyView, SheetView } from '../../../src/protocol/viewModel';
import { write, type Script } from '../../kit/memoryEngine';
import { openChat, type Chat } from './kit/chat';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const scripts: Record<string, Script> = {
  one: async (turn, say) => {
    say('first');
    return write(turn, 'f', '1\n2\n3\n');
  },
  two: async (turn, say) => {
    say('second');
    await write(turn, 'g', 'new\n');
    return write(turn, 'f', '1\nchanged\n3\n');
  },
  talk: async () => undefined,
  streamed: async (turn) => {
    let text = '';
    for (const word of ['a ', 'few ', 'more ', 'words']) {
      text += word;
      turn.sink.setPart(0, { type: 'text', text });
      await pause(50);
    }
    return undefined;
  },
  slow: async (turn) => {
    await new Promise<void>((resolve) => {
      if (turn.signal.aborted) resolve();
      turn.signal.addEventListener('abort', () => resolve());
    });
    return undefined;
  },
};

async function told(...texts: string[]): Promise<Chat> {
  const chat = await openChat(scripts);
  chat.memory.workspace.put('f0/f', '0\n');
  await chat.ready();
  for (const text of texts) await say(chat, text);
  await chat.settle(60);
  return chat;
}

async function say(chat: Chat, text: string): Promise<void> {
  await chat.ask('send', { draft: { text, attachments: [] } });
  const session = await chat.current.get();
  await session.running?.settled;
}

const texts = (chat: Chat): string[] =>
  chat.page().messages.map((message) => ('text' in message ? message.text : replyText(message)));

function replyText(reply: MessageEntry): string {
  if (reply.role !== 'assistant') return '';
  return reply.parts.map((part) => ('text' in part ? part.text : '')).join('');
}

function sheet(chat: Chat): SheetView {
  const shown = chat.page().sheet;
  if (shown === undefined) throw new Error('no sheet');
  return shown;
}

const userId = (chat: Chat, n: number): string =>
  chat.page().messages.filter((message) => message.role === 'user')[n]?.id ?? '';

const lastReply = (chat: Chat): ReplyView => {
  const reply = chat.page().messages.at(-1);
  if (reply?.role !== 'assistant') throw new Error('no reply');
  return reply;
};

describe('the page and the session', () => {
  test('W11 nothing is posted before ready; W10 ready twice is harmless', async () => {
    const chat = await openChat(scripts);
    const session = await chat.current.get();
    await chat.retrace.send(session, { text: 'one', attachments: [] });
    await chat.settle(60);
    expect(chat.frames).toEqual([]);
    await chat.ready();
    await chat.settle(30);
    const first = await chat.ready();
    const second = await chat.ready();
    expect(second.view).toEqual({ ...first.view, revision: first.view.revision + 1 });
    await say(chat, 'two');
    await chat.settle();
    expect(texts(chat)).toEqual(['one', 'first', 'two', 'second']);
    expect(chat.gaps()).toBe(0);
  });

  test('W9 a hidden page is posted nothing, and the next one shows what came meanwhile', async () => {
    const chat = await told('one');
    chat.controller.pause();
    const before = chat.frames.length;
    const session = await chat.current.get();
    await chat.retrace.send(session, { text: 'two', attachments: [] });
    await chat.settle(60);
    expect(chat.frames).toHaveLength(before);
    expect(chat.controller.ready).toBe(false);
    await chat.ready();
    expect(texts(chat)).toEqual(['one', 'first', 'two', 'second']);
  });

  test('a page of another version is told to load again', async () => {
    const chat = await openChat(scripts);
    const { result } = await chat.send('ready', { protocol: 99 });
    expect(result).toMatchObject({
      ok: false,
      message: expect.stringContaining('Reload') as string,
    });
    expect(chat.controller.ready).toBe(false);
  });

  test('a reply that streams comes as what was added, and shows in the end what was said', async () => {
    const chat = await told();
    await say(chat, 'streamed');
    await chat.settle(60);
    const deltas = chat.frames.flatMap((frame) => (frame.type === 'delta' ? frame.ops : []));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.every((op) => op.op === 'appendText')).toBe(true);
    expect(texts(chat)).toEqual(['streamed', 'a few more words']);
    expect(chat.gaps()).toBe(0);
  });

  test('a message is told once, and what is far from the end when it is asked for (C53)', async () => {
    const long = Array.from({ length: 25 }, () => 'talk');
    const chat = await told(...long, 'one');
    await chat.settle();
    const whole = chat.page().messages;
    expect(whole).toHaveLength(52);
    expect(whole.filter(({ role }) => role === 'outline')).toEqual([]);
    const last = chat.frames.findLast((frame) => frame.type === 'snapshot');
    const carried = last?.view.messages.filter(({ role }) => role !== 'outline') ?? [];
    expect(carried.length).toBeLessThan(3);

    await chat.ready();
    const outlines = chat.page().messages.filter(({ role }) => role === 'outline');
    expect(outlines).toHaveLength(12);
    expect(outlines[0]).toMatchObject({ id: whole[0]?.id, of: 'user', size: 4 });
    const ids = [whole[0]?.id ?? '', 'none of this'];
    const { messages } = await chat.ask('readMessages', { ids });
    expect(messages).toEqual([whole[0]]);
  });

  test('revisions grow by one with each frame of a session', async () => {
    const chat = await told('one', 'streamed', 'two');
    const revisions = chat.frames.flatMap((frame) =>
      frame.type === 'snapshot' ? [frame.view.revision] : frame.type === 'delta' ? [frame.to] : [],
    );
    expect(revisions).toEqual(revisions.map((_, index) => index + 2));
  });

  test('the file card comes at once, its counts when they are known', async () => {
    const chat = await told('one', 'two');
    await chat.settle();
    expect(lastReply(chat).files).toEqual([
      { uri: 'file:///w/g', label: 'g', kind: 'created', byHand: false, added: 1, removed: 0 },
      { uri: 'file:///w/f', label: 'f', kind: 'changed', byHand: false, added: 1, removed: 1 },
    ]);
    const first = chat.frames.find(
      (frame) => frame.type === 'snapshot' && frame.view.messages.some(hasFiles),
    );
    if (first?.type !== 'snapshot') throw new Error('no card');
    expect(first.view.messages.find(hasFiles)).toMatchObject({
      files: [{ label: 'f', kind: 'changed' }],
    });
  });

  test('what is sent leaves the composer; what is refused stays in it', async () => {
    const chat = await told();
    const session = await chat.current.get();
    const draft = { text: 'slow', attachments: [] };
    await chat.ask('saveDraft', { draft });
    await chat.ask('send', { draft });
    expect(session.draft.draft.text).toBe('');
    const again = { text: 'too early', attachments: [] };
    const { result } = await chat.send('send', { draft: again });
    expect(result).toMatchObject({ ok: false, code: 'run_active' });
    expect(session.draft.draft).toEqual(again);
    await chat.ask('stop', {});
    expect(chat.page()).toMatchObject({ running: false });
    expect(lastReply(chat).status).toBe('interrupted');
  });

  test('attached files join the draft and leave what is typed', async () => {
    const chat = await told();
    await chat.ask('saveDraft', { draft: { text: 'look', attachments: [] } });
    chat.opened.files = [{ uri: 'file:///w/f' }];
    await chat.ask('attachFiles', {});
    expect(chat.page().draft).toMatchObject({
      text: 'look',
      attachments: [{ uri: 'file:///w/f' }],
    });
    expect(chat.page().draft).not.toHaveProperty('aside');
  });

  test('another session is shown as soon as it is current, and the old one is followed no more', async () => {
    const chat = await told('one');
    const old = await chat.current.get();
    const { sessionId } = await chat.ask('newSession', {});
    expect(chat.page()).toMatchObject({ sessionId, messages: [] });
    await chat.retrace.send(old, { text: 'two', attachments: [] });
    await chat.settle(60);
    expect(chat.page().sessionId).toBe(sessionId);
    await chat.ask('openSession', { sessionId: old.id });
    expect(texts(chat)).toEqual(['one', 'first', 'two', 'second']);
    const { sessions } = await chat.ask('listSessions', {});
    expect(sessions.map(({ id, current }) => [id, current])).toContainEqual([old.id, true]);
  });

  test('a fork is shown, and says in the list what it came from', async () => {
    const chat = await told('one', 'two');
    const { sessionId } = await chat.ask('fork', { messageId: userId(chat, 1) });
    expect(chat.page()).toMatchObject({ sessionId, title: 'Fork #1 one', draft: { text: 'two' } });
    expect(chat.page().files?.text).toContain(
      'Files last known at a message of the original session',
    );
    const { sessions } = await chat.ask('listSessions', {});
    expect(sessions.find((row) => row.id === sessionId)).toMatchObject({ forkedFrom: 'one' });
  });
});

function hasFiles(message: {
  readonly role: string;
  readonly files?: readonly unknown[];
}): boolean {
  return message.files !== undefined && message.files.length > 0;
}

describe('moves from the page', () => {
  test('a rewind opens the sheet, says what comes of each file, and after it what was done', async () => {
    const chat = await told('one', 'two');
    const plan = { verb: 'rewind', messageId: userId(chat, 1) } as const;
    const { needsAnswer, planId } = await chat.ask('planMove', plan);
    expect(needsAnswer).toBe(true);
    expect(sheet(chat)).toMatchObject({
      planId,
      title: 'Rewind to “two”',
      detail: '1 turn goes to another branch, where it stays. Your text returns to the composer.',
      action: 'Rewind',
      scope: 'both',
      scopes: ['both', 'chat', 'files'],
      plain: true,
      replanned: false,
      files: [
        { label: 'f', outcome: 'restored', tag: 'restore', added: 1, removed: 1, choices: [] },
        { label: 'g', outcome: 'deleted', tag: 'delete', removed: 1 },
      ],
    });
    expect(chat.memory.workspace.text('f0/g')).toBe('new\n');
    await chat.ask('applyMove', { planId, choices: {}, dontAskAgain: false });
    await chat.settle(30);
    expect(chat.memory.workspace.text('f0/g')).toBeUndefined();
    expect(texts(chat)).toEqual(['one', 'first']);
    expect(chat.page()).toMatchObject({
      draft: { text: 'two' },
      canUndo: true,
      canRedo: false,
      lines: [
        {
          kind: 'result',
          text: 'Rewound 1 turn · 1 file restored, 1 deleted',
          action: 'undo',
          failures: [],
        },
      ],
    });
    expect(chat.page()).not.toHaveProperty('sheet');
    const focused = chat.frames.flatMap((frame) =>
      frame.type === 'snapshot' && frame.focus ? [frame.focus] : [],
    );
    expect(focused).toEqual(['sheet', 'composer']);
  });

  test('the scope can be changed in the sheet; cancelling changes nothing', async () => {
    const chat = await told('one', 'two');
    const { planId } = await chat.ask('planMove', { verb: 'rewind', messageId: userId(chat, 1) });
    await chat.ask('rescopeMove', { planId, scope: 'chat' });
    expect(sheet(chat)).toMatchObject({ scope: 'chat', files: [] });
    await chat.ask('cancelMove', { planId: sheet(chat).planId });
    expect(chat.page()).not.toHaveProperty('sheet');
    expect(texts(chat)).toHaveLength(4);
    expect(chat.page().lines).toEqual([]);
  });

  test('a chat-only rewind asks nothing, says where the files are, and bring here brings them', async () => {
    const chat = await told('one', 'two');
    const plan = { verb: 'rewind', messageId: userId(chat, 0), scope: 'chat' } as const;
    expect(await chat.ask('planMove', plan)).toMatchObject({ needsAnswer: false, scope: 'chat' });
    await chat.settle(30);
    expect(texts(chat)).toEqual([]);
    expect(chat.page()).toMatchObject({
      files: { text: 'Files last known at the reply to “two”', canBring: true },
      lines: [{ text: 'Rewound 2 turns · no file changes' }],
    });
    await chat.ask('bringHere', {});
    const { planId } = sheet(chat);
    await chat.ask('applyMove', { planId, choices: {}, dontAskAgain: false });
    await chat.settle(30);
    expect(chat.memory.workspace.text('f0/f')).toBe('0\n');
    expect(chat.page()).not.toHaveProperty('files');
    expect(chat.page().lines).toMatchObject([
      { text: 'Files rewound · 1 file restored, 1 deleted' },
    ]);
  });

  test('conflicts are chosen by file; a file kept is named, and can be brought along later', async () => {
    const chat = await told('one', 'two');
    chat.memory.workspace.put('f0/f', '1\nmine\n3\n');
    await chat.ask('planMove', { verb: 'rewind', messageId: userId(chat, 1) });
    const first = sheet(chat);
    expect(first.plain).toBe(false);
    expect(first.files[0]).toMatchObject({
      uri: 'file:///w/f',
      outcome: 'conflict',
      tag: 'you changed the same lines',
      choices: ['keep', 'restore'],
      canCompare: true,
    });
    await chat.ask('applyMove', { planId: first.planId, choices: {}, dontAskAgain: false });
    await chat.settle(30);
    expect(chat.page()).toMatchObject({
      files: { text: 'Left where they were: f', canBring: true },
      lines: [{ text: 'Rewound 1 turn · 1 file deleted, 1 kept' }],
    });
    await chat.ask('bringHere', {});
    const choices = { 'file:///w/f': 'restore' } as const;
    await chat.ask('applyMove', { planId: sheet(chat).planId, choices, dontAskAgain: false });
    await chat.settle(30);
    expect(chat.memory.workspace.text('f0/f')).toBe('1\n2\n3\n');
    expect(chat.page()).not.toHaveProperty('files');
  });

  test('files that changed while the sheet was open are planned again, and it says so', async () => {
    const chat = await told('one', 'two');
    const { planId } = await chat.ask('planMove', { verb: 'rewind', messageId: userId(chat, 1) });
    chat.memory.workspace.put('f0/f', '1\nchanged\n3\nmore\n');
    const apply = { choices: {}, dontAskAgain: false };
    expect(await chat.ask('applyMove', { planId, ...apply })).toEqual({ applied: false });
    expect(sheet(chat)).toMatchObject({
      replanned: true,
      files: [{ outcome: 'merged', tag: 'merged: your lines stay' }, { outcome: 'deleted' }],
    });
    const { result } = await chat.send('applyMove', { planId, ...apply });
    expect(result).toMatchObject({ ok: false, code: 'not_found' });
  });

  test('a file that fails is listed with its reason, and retry brings just that one', async () => {
    const chat = await told('one', 'two');
    chat.memory.workspace.failing.add('f0/f');
    const { planId } = await chat.ask('planMove', { verb: 'rewind', messageId: userId(chat, 1) });
    await chat.ask('applyMove', { planId, choices: {}, dontAskAgain: false });
    await chat.settle(30);
    const uri = 'file:///w/f';
    expect(chat.page().lines).toMatchObject([
      {
        text: 'Rewound 1 turn · 1 file deleted, 1 failed',
        failures: [{ label: 'f', uri, reason: 'the file cannot be written' }],
      },
    ]);
    chat.memory.workspace.failing.clear();
    await chat.ask('bringHere', { uris: [uri] });
    await chat.ask('applyMove', { planId: sheet(chat).planId, choices: {}, dontAskAgain: false });
    await chat.settle(30);
    expect(chat.memory.workspace.text('f0/f')).toBe('1\n2\n3\n');
    expect(chat.page()).not.toHaveProperty('files');
  });

  test('regenerate answers again beside the old reply, and does not hold the answer until it ends', async () => {
    const chat = await told('slow-less', 'talk');
    const { id } = lastReply(chat);
    const began = await chat.ask('planMove', { verb: 'regenerate', messageId: id });
    expect(began.needsAnswer).toBe(false);
    await chat.settle(60);
    expect(lastReply(chat).siblings).toEqual({ index: 2, count: 2, previous: id });
    await chat.ask('planMove', { verb: 'switch', messageId: id });
    await chat.settle(60);
    expect(lastReply(chat)).toMatchObject({ id, siblings: { index: 1, count: 2 } });
  });

  test('pressed twice, regenerate and edit make one turn', async () => {
    const chat = await told('talk');
    const before = (await chat.current.get()).state.nodes.size;
    const regenerate = { verb: 'regenerate', messageId: lastReply(chat).id } as const;
    await Promise.all([chat.ask('planMove', regenerate), chat.ask('planMove', regenerate)]);
    await chat.settle(60);
    const draft = { text: 'talk', attachments: [] };
    const edit = { verb: 'edit', messageId: userId(chat, 0), draft } as const;
    await Promise.all([chat.ask('planMove', edit), chat.ask('planMove', edit)]);
    await chat.settle(60);
    const session = await chat.current.get();
    expect(session.state.nodes.size).toBe(before + 1 + 2);
    expect(chat.page().messages[0]).toMatchObject({ siblings: { index: 2, count: 2 } });
  });

  test('what keeps a turn from running is told before anything moves', async () => {
    const chat = await told('one');
    const plan = { verb: 'regenerate', messageId: lastReply(chat).id, model: 'missing' } as const;
    const { result } = await chat.send('planMove', plan);
    expect(result).toMatchObject({ ok: false, message: 'There is no such model.' });
    expect(texts(chat)).toEqual(['one', 'first']);
    expect(chat.memory.workspace.text('f0/f')).toBe('1\n2\n3\n');
  });

  test('a move during a turn is refused with run_active and changes nothing', async () => {
    const chat = await told('one');
    await chat.ask('send', { draft: { text: 'slow', attachments: [] } });
    const { result } = await chat.send('planMove', { verb: 'rewind', messageId: userId(chat, 0) });
    expect(result).toMatchObject({ ok: false, code: 'run_active' });
    await chat.ask('stop', {});
  });

  test('undo brings everything back and offers redo', async () => {
    const chat = await told('one', 'two');
    const { planId } = await chat.ask('planMove', { verb: 'rewind', messageId: userId(chat, 1) });
    await chat.ask('applyMove', { planId, choices: {}, dontAskAgain: false });
    await chat.ask('planMove', { verb: 'undo' });
    expect(sheet(chat)).toMatchObject({ title: 'Undo the last move', scopes: ['both'] });
    await chat.ask('applyMove', { planId: sheet(chat).planId, choices: {}, dontAskAgain: false });
    await chat.settle(30);
    expect(texts(chat)).toHaveLength(4);
    expect(chat.page()).toMatchObject({
      canRedo: true,
      lines: [{ text: 'Move undone · 2 files restored', action: 'redo' }],
    });
  });

  test('lines can be dismissed, and numbered points say what they lead to', async () => {
    const chat = await told('one', 'two');
    const session = await chat.current.get();
    const points = [
      { n: 1, messageId: userId(chat, 1) },
      { n: 2, messageId: userId(chat, 0) },
    ];
    session.addLine({ kind: 'points', id: 'points', points });
    await chat.settle(30);
    expect(chat.page().lines).toMatchObject([
      {
        points: [
          { n: 1, text: 'two', filesChanged: 2 },
          { n: 2, text: 'one', filesChanged: 1 },
        ],
      },
    ]);
    await chat.ask('dismissLine', { lineId: 'points' });
    expect(chat.page().lines).toEqual([]);
  });

  test('an approval is asked in the page and answered there', async () => {
    const chat = await told();
    const { id } = await chat.current.get();
    const { signal } = new AbortController();
    const asked = chat.approvals.ask(id, 'command', 'npm test', signal, true);
    await chat.settle(30);
    const [approval] = chat.page().approvals;
    expect(approval).toMatchObject({ title: 'Run a command', detail: 'npm test' });
    await chat.ask('answerApproval', { approvalId: approval?.approvalId ?? '', answer: 'once' });
    expect(await asked).toBe(true);
    expect(chat.page().approvals).toEqual([]);
  });
});
