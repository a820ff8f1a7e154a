import type { MessageEntry, MessageView, SessionView } from '../../../src/protocol/viewModel';
import { base } from './scenes';

const sentence =
  'The bucket takes one token for each request and is filled again at a fixed rate. ';
const code = `\`\`\`ts\n${'export const limit = take(bucket, 1);\n'.repeat(12)}\`\`\`\n\n`;
/** The real host tells so many at the end without being asked. */
const near = 40;

/** Returns a conversation of some messages, of about ten thousand characters a message as the last argument has it. */
export function longView(count: number, characters = 10_000): SessionView {
  const siblings = { index: 1, count: 1 };
  const block = `${sentence.repeat(5)}See [server.ts](src/server.ts:12).\n\n${code}`;
  const messages = Array.from({ length: count }, (_, index): MessageView => {
    const [id, createdAt] = [`m${index}`, 1_700_000_000_000 + index * 60_000];
    if (index % 2 === 0)
      return {
        ...{ role: 'user', id, text: `Question ${index}. ${sentence}`, attachments: [] },
        ...{ createdAt, siblings },
      };
    // Every second message is short: twice the length is on the others.
    const blocks = Math.max(1, Math.round(((index % 5) * characters) / block.length));
    const text = `Answer ${index}.\n\n${block.repeat(blocks)}`;
    return {
      ...{ role: 'assistant', id, model: 'Practice', parts: [{ type: 'text', text }] },
      ...{ status: 'done', files: [], createdAt, siblings },
    };
  });
  return { ...base(), messages };
}

/** Returns the view as the real host tells it: what is far from the end comes as an outline. */
export function outlined(view: SessionView): SessionView {
  const first = view.messages.length - near;
  if (first <= 0) return view;
  return {
    ...view,
    messages: view.messages.map((entry, index): MessageEntry => {
      if (index >= first || entry.role === 'outline') return entry;
      const size = 'text' in entry ? entry.text.length : sizeOf(entry);
      return { role: 'outline', id: entry.id, of: entry.role, size };
    }),
  };
}

function sizeOf(entry: Extract<MessageView, { role: 'assistant' }>): number {
  return entry.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}
