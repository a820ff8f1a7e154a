import type { HostFrame, ViewOp } from '../src/protocol/messages';
import type { MessageView, PartView, ReplyView, SessionView } from '../src/protocol/viewModel';

/** What the page draws after a frame, and whether it must ask for the whole again. */
export interface Reduced {
  readonly view: SessionView | undefined;
  readonly resync: boolean;
}

type ViewFrame = Extract<HostFrame, { type: 'snapshot' | 'delta' }>;

/** Takes one frame into the view. A snapshot replaces it; a delta that does not follow it asks for a new one. */
export function reduce(view: SessionView | undefined, frame: ViewFrame): Reduced {
  if (frame.type === 'snapshot') return { view: frame.view, resync: false };
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
      const known = view.messages.some((message) => message.id === op.reply.id);
      const messages = known
        ? view.messages.map((message) => (message.id === op.reply.id ? op.reply : message))
        : [...view.messages, op.reply];
      return { ...view, messages };
    }
    case 'appendText': {
      // The reply that streams is the last one, so look from the end.
      const index = view.messages.findLastIndex((message) => message.id === op.messageId);
      const reply = view.messages[index];
      if (reply?.role !== 'assistant') return undefined;
      const grown = appendText(reply, op.part, op.text);
      return grown && { ...view, messages: replaceAt(view.messages, index, grown) };
    }
  }
}

function appendText(reply: ReplyView, index: number, text: string): ReplyView | undefined {
  const part = reply.parts[index];
  if (index === reply.parts.length) {
    return { ...reply, parts: [...reply.parts, { type: 'text', text }] };
  }
  if (part?.type !== 'text' && part?.type !== 'reasoning') return undefined;
  const parts: readonly PartView[] = replaceAt(reply.parts, index, {
    ...part,
    text: part.text + text,
  });
  return { ...reply, parts };
}

function replaceAt<T>(items: readonly T[], index: number, item: T): readonly T[] {
  return [...items.slice(0, index), item, ...items.slice(index + 1)];
}

/** Returns the text of a message as it is copied and announced. */
export function messageText(message: MessageView): string {
  if (message.role !== 'assistant') return message.text;
  return message.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n\n');
}
