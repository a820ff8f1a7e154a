import { describe, expect, test } from 'vitest';
import type { Script } from '../../kit/memoryEngine';
import { openChat, type Chat } from './kit/chat';

/** Turns that end when they are told to, in the way they are told. */
function turns() {
  const ends: ((status: 'done' | 'failed') => void)[] = [];
  const script: Script = (turn) =>
    new Promise((resolve) => {
      const end = (status: 'done' | 'failed' | 'interrupted'): void =>
        resolve({ status, sent: true });
      ends.push(end);
      turn.signal.addEventListener('abort', () => end('interrupted'));
    });
  return { ends, script };
}

const draft = (text: string) => ({ draft: { text, attachments: [] } });

async function running(): Promise<{ chat: Chat; end: (status: 'done' | 'failed') => void }> {
  const { ends, script } = turns();
  const chat = await openChat({ slow: script, next: script, last: script });
  await chat.ready();
  await chat.ask('send', draft('slow'));
  return { chat, end: (status) => ends.shift()?.(status) };
}

const texts = (chat: Chat): string[] =>
  chat.page().messages.flatMap((message) => (message.role === 'user' ? message.text : []));
const waits = (chat: Chat): string[] => chat.page().queued.map(({ text }) => text);

describe('messages written while a turn runs', () => {
  test('wait, and go one after the other when the turn has ended well', async () => {
    const { chat, end } = await running();
    await chat.ask('queue', draft('next'));
    await chat.ask('queue', draft('last'));
    await chat.settle(30);
    expect(waits(chat)).toEqual(['next', 'last']);
    expect(chat.page().draft.text).toBe('');
    end('done');
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow', 'next']);
    expect(waits(chat)).toEqual(['last']);
    end('done');
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow', 'next', 'last']);
    expect(waits(chat)).toEqual([]);
    end('done');
    await chat.settle(60);
    expect(chat.page().running).toBe(false);
  });

  test('are in the composer again, before what is being typed, after a failed turn', async () => {
    const { chat, end } = await running();
    await chat.ask('queue', draft('next'));
    await chat.ask('queue', draft('last'));
    await chat.ask('saveDraft', draft('typing'));
    end('failed');
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow']);
    expect(waits(chat)).toEqual([]);
    expect(chat.page().draft.text).toBe('next\n\nlast\n\ntyping');
  });

  test('are in the composer again after Stop, and never go by themselves', async () => {
    const { chat, end } = await running();
    await chat.ask('queue', draft('next'));
    await chat.ask('stop', {});
    await chat.settle(60);
    expect(chat.page().draft.text).toBe('next');
    await chat.ask('send', draft('slow'));
    end('done');
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow', 'slow']);
    expect(waits(chat)).toEqual([]);
  });

  test('one can be edited, removed, or sent in place of the running reply', async () => {
    const { chat } = await running();
    for (const text of ['next', 'gone', 'last']) await chat.ask('queue', draft(text));
    await chat.settle(30);
    const [next, gone, last] = chat.page().queued.map(({ id }) => id);
    await chat.ask('queued', { queuedId: gone ?? '', action: 'drop' });
    await chat.ask('queued', { queuedId: next ?? '', action: 'edit' });
    await chat.settle(30);
    expect(chat.page().draft.text).toBe('next');
    expect(waits(chat)).toEqual(['last']);
    await chat.ask('queued', { queuedId: last ?? '', action: 'send' });
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow', 'last']);
    expect(chat.page().running).toBe(true);
    expect(chat.page().draft.text).toBe('next');
  });

  test('a message sent in place of the running reply leaves the others in the composer', async () => {
    const { chat } = await running();
    await chat.ask('queue', draft('next'));
    await chat.ask('send', { ...draft('last'), stopFirst: true });
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow', 'last']);
    expect(chat.page().draft.text).toBe('next');
  });

  test('outlive the window: the next one has them in the composer', async () => {
    const { chat } = await running();
    await chat.ask('queue', draft('next'));
    const again = await openChat({}, chat.memory);
    const { view } = await again.ready();
    expect(view.queued).toEqual([]);
    expect(view.draft.text).toBe('next');
  });

  test('one for which no turn runs any more is sent at once', async () => {
    const { chat, end } = await running();
    await chat.settle(30);
    end('done');
    await chat.settle(60);
    await chat.ask('queue', draft('next'));
    await chat.settle(60);
    expect(texts(chat)).toEqual(['slow', 'next']);
  });
});

describe('the draft', () => {
  test('C51 keeps its caret over a restart', async () => {
    const chat = await openChat();
    await chat.ready();
    await chat.ask('saveDraft', { ...draft('three words here'), caret: 5 });
    const again = await openChat({}, chat.memory);
    expect((await again.ready()).view.draft).toMatchObject({ text: 'three words here', caret: 5 });
  });

  test('C51 what was typed on a draft the host has replaced since is kept aside, until it is dismissed', async () => {
    const chat = await openChat();
    await chat.ready();
    const { version } = chat.page().draft;
    const session = await chat.current.get();
    await session.putDraft({ text: 'from a rewind', attachments: [] });
    await chat.ask('saveDraft', { ...draft('half a thought'), version });
    await chat.settle(30);
    expect(chat.page().draft).toMatchObject({
      text: 'from a rewind',
      aside: { text: 'half a thought' },
    });
    await chat.ask('dropAside', {});
    await chat.settle(30);
    expect(chat.page().draft).not.toHaveProperty('aside');
    expect(chat.page().draft.text).toBe('from a rewind');
  });
});
