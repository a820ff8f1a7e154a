import { describe, expect, it } from 'vitest';
import type { ViewOp } from '../../../src/protocol/messages';
import type { ReplyView, SessionView } from '../../../src/protocol/viewModel';
import { messageText, reduce } from '../../../webview-ui/state';

const reply: ReplyView = {
  role: 'assistant',
  id: 'a1',
  model: 'practice',
  parts: [{ type: 'text', text: 'Hel' }],
  status: 'running',
  files: [],
  createdAt: 0,
  siblings: { index: 1, count: 1 },
};

function view(change: Partial<SessionView> = {}): SessionView {
  return {
    sessionId: 's1',
    title: 'A session',
    revision: 4,
    messages: [
      {
        role: 'user',
        id: 'u1',
        text: 'Hi',
        attachments: [],
        createdAt: 0,
        siblings: reply.siblings,
      },
      reply,
    ],
    lines: [],
    approvals: [],
    running: true,
    draft: { text: '', attachments: [], version: 1 },
    queued: [],
    instructions: [],
    sendKey: 'enter',
    model: { id: 'practice', label: 'Practice', practice: true },
    mode: 'agent',
    context: { used: 0, usage: [] },
    canUndo: false,
    noFolder: false,
    canRedo: false,
    ...change,
  };
}

function delta(from: number, ops: readonly ViewOp[], sessionId = 's1') {
  return { type: 'delta', sessionId, requestId: '', from, to: from + 1, ops } as const;
}

function snapshot(shown: SessionView) {
  const { sessionId, revision } = shown;
  return { type: 'snapshot', sessionId, requestId: '', from: revision - 1, view: shown } as const;
}

const grow: ViewOp = { op: 'appendText', messageId: 'a1', part: 0, text: 'lo' };

describe('the page takes frames', () => {
  it('shows whatever a snapshot says, of another session too', () => {
    const other = view({ sessionId: 's2', revision: 1 });
    const frame = { ...snapshot(other), from: 0 };
    expect(reduce(view(), frame)).toEqual({ view: other, resync: false });
    expect(reduce(undefined, frame)).toEqual({ view: other, resync: false });
  });

  it('goes on with what it knows where a snapshot only outlines', () => {
    const outline = { role: 'outline', id: 'a1', of: 'assistant', size: 3 } as const;
    const far = { role: 'outline', id: 'u0', of: 'user', size: 9 } as const;
    const next = view({ revision: 5, messages: [far, outline] });
    expect(reduce(view(), snapshot(next)).view?.messages).toEqual([far, reply]);
  });

  it('does not go on with what it knows after a gap, for that may be older', () => {
    const outline = { role: 'outline', id: 'a1', of: 'assistant', size: 3 } as const;
    const next = view({ revision: 7, messages: [outline] });
    expect(reduce(view(), snapshot(next)).view?.messages).toEqual([outline]);
  });

  it('appends text to the one message and leaves every other as it was', () => {
    const before = view();
    const { view: after, resync } = reduce(before, delta(4, [grow]));
    expect(resync).toBe(false);
    expect(after?.revision).toBe(5);
    expect(after && messageText(after.messages[1] ?? reply)).toBe('Hello');
    expect(after?.messages[0]).toBe(before.messages[0]);
    expect(before.messages[1]).toBe(reply);
  });

  it('begins a text that is the next part of the reply', () => {
    const op: ViewOp = { ...grow, part: 1 };
    expect(reduce(view(), delta(4, [op])).view?.messages[1]).toMatchObject({
      parts: [{ text: 'Hel' }, { type: 'text', text: 'lo' }],
    });
  });

  it('asks for the whole after a gap, and keeps what it shows until then', () => {
    const before = view();
    expect(reduce(before, delta(5, [grow]))).toEqual({ view: before, resync: true });
  });

  it('asks for the whole when a delta names what it does not have', () => {
    const before = view();
    for (const op of [
      { ...grow, messageId: 'a9' },
      { ...grow, messageId: 'u1' },
      { ...grow, part: 7 },
    ]) {
      expect(reduce(before, delta(4, [grow, op]))).toEqual({ view: before, resync: true });
    }
  });

  it('passes over what it has already and what is about another session', () => {
    const before = view();
    expect(reduce(before, delta(3, [grow]))).toEqual({ view: before, resync: false });
    expect(reduce(before, delta(4, [grow], 's2'))).toEqual({ view: before, resync: false });
    expect(reduce(undefined, delta(4, [grow]))).toEqual({ view: undefined, resync: false });
  });

  it('replaces a reply, adds a new one, and says what is waited for', () => {
    const done: ReplyView = { ...reply, status: 'done' };
    const next: ReplyView = { ...reply, id: 'a2' };
    const ops: readonly ViewOp[] = [
      { op: 'reply', reply: done },
      { op: 'reply', reply: next },
      { op: 'waiting', text: 'Trying again in 3 s' },
    ];
    const { view: after } = reduce(view(), delta(4, ops));
    expect(after?.messages.slice(1)).toEqual([done, next]);
    expect(after?.waiting).toBe('Trying again in 3 s');
    const { view: later } = reduce(after, delta(5, [{ op: 'waiting', text: undefined }]));
    expect(later && 'waiting' in later).toBe(false);
  });
});
