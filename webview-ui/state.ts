import type { HostFrame, ViewOp } from '../src/protocol/messages';
import type { MessageEntry, PartView, ReplyView, SessionView } from '../src/protocol/viewModel';

/** What the page draws after a frame, and whether it must ask for the whole again. */
export interface Reduced {
  readonly view: SessionView | undefined;
  readonly resync: boolean;
}

type ViewFrame = Extract<HostFrame, { type: 'snapshot' | 'delta' }>;

/** Takes one frame into the view. A snapshot replaces it; a delta that does not follow it asks for a new one. */
export function reduce(view: SessionView | undefined, frame: ViewFrame): Reduced {
  if (frame.type === 'snapshot') return { view: filled(view, frame), resync: false };
  // Deltas of a session that is no longer, or not yet, shown say nothing about what is.
  if (view?.sessionId !== frame.sessionId || frame.to <= view.revision) {
    return { view, resync: false };
  }
  if (frame.from !== view.revision) return { view, resync: true };
  let next: SessionView = { ...view, revision: frame.to };
  for (const op of frame.ops) {
    const applied = applyOp(next, op);
    if (!applied) return { view, resync: true };
    next = applied;
  }
  return { view: next, resync: false };
}

/** Goes on with what is known of the messages that a snapshot only outlines. */
function filled(
  view: SessionView | undefined,
  frame: Extract<HostFrame, { type: 'snapshot' }>,
): SessionView {
  // After a gap, what is known may be older than what the host believes to have told.
  if (view?.sessionId !== frame.sessionId || view.revision !== frame.from) return frame.view;
  return fill(frame.view, view.messages);
}

/** Puts messages in the place of their outlines; what is said already stays. */
export function fill(view: SessionView, messages: readonly MessageEntry[]): SessionView {
  if (!view.messages.some((entry) => entry.role === 'outline')) return view;
  const known = new Map(messages.map((message) => [message.id, message]));
  return {
    ...view,
    messages: view.messages.map((entry) =>
      entry.role === 'outline' ? (known.get(entry.id) ?? entry) : entry,
    ),
  };
}

function applyOp(view: SessionView, op: ViewOp): SessionView | undefined {
  switch (op.op) {
    case 'waiting': {
      const { waiting: _, ...rest } = view;
      return op.text === undefined ? rest : { ...rest, waiting: op.text };
    }
    case 'offer': {
      const { offer: _, ...rest } = view;
      return op.offer === undefined ? rest : { ...rest, offer: op.offer };
    }
    case 'reply': {
      const index = view.messages.findLastIndex((message) => message.id === op.reply.id);
      const messages =
        index === -1 ? [...view.messages, op.reply] : view.messages.with(index, op.reply);
      return { ...view, messages };
    }
    case 'appendText': {
      // The reply that streams is the last one, so look from the end.
      const index = view.messages.findLastIndex((message) => message.id === op.messageId);
      const reply = view.messages[index];
      if (reply?.role !== 'assistant') return undefined;
      const grown = appendText(reply, op.part, op.text);
      return grown && { ...view, messages: view.messages.with(index, grown) };
    }
  }
}

function appendText(reply: ReplyView, index: number, text: string): ReplyView | undefined {
  const part = reply.parts[index];
  if (index === reply.parts.length) {
    return { ...reply, parts: [...reply.parts, { type: 'text', text }] };
  }
  if (part?.type !== 'text' && part?.type !== 'reasoning') return undefined;
  const parts: readonly PartView[] = reply.parts.with(index, { ...part, text: part.text + text });
  return { ...reply, parts };
}

/** Returns the text of a message as it is copied and announced. */
export function messageText(message: MessageEntry): string {
  if (message.role === 'outline') return '';
  if (message.role !== 'assistant') return message.text;
  return message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n');
}
