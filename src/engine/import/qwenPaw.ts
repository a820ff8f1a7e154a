import { RetraceError } from '../errors';
import { blocksOf, imagesOf, isBlock, partsOf, resultsOf, textOf, type Block } from './blocks';
import { bounds } from './bounds';
import type { ForeignMessage, ForeignSession } from './messageTree';

/*
 * A session file of QwenPaw holds its messages in a row: as pairs of a message and its marks in `agent.memory.content`, or, in
 * later versions, plain in `agent.state.context`. Results of tools are messages of the system's, or blocks of a reply.
 */

/** Returns the row of messages a file holds, or undefined where it is no such file. */
export function qwenPawRow(value: unknown): readonly unknown[] | undefined {
  const agent = field(value, 'agent');
  const pairs = field(field(agent, 'memory'), 'content');
  const plain = field(field(agent, 'state'), 'context');
  const rows = [pairs, plain].filter((row): row is unknown[] => Array.isArray(row));
  return rows.find((row) => row.length > 0) ?? rows[0];
}

/** Reads a row of messages; `lineOf` finds the line of one by its number and id. Throws `invalid` with the line. */
export function readQwenPaw(
  row: readonly unknown[],
  lineOf: (index: number, id: string | undefined) => number | undefined,
): ForeignSession {
  if (row.length === 0 || row.length > bounds.nodes)
    throw new RetraceError('invalid', 'There is no message in this session.');
  const found = row.map((entry, index): Block => {
    const message: unknown = Array.isArray(entry) ? entry[0] : entry;
    if (isBlock(message) && typeof message['role'] === 'string') return message;
    const id = isBlock(message) && typeof message['id'] === 'string' ? message['id'] : undefined;
    const line = lineOf(index, id);
    throw line === undefined
      ? new RetraceError('invalid', 'Message {0} is not sound.', [index + 1])
      : new RetraceError('invalid', 'The message in line {0} is not sound.', [line]);
  });
  const results = new Map(found.flatMap(({ content }) => resultsOf(content)));
  let before: string | null = null;
  const messages: ForeignMessage[] = [];
  found.forEach((message, index) => {
    const role = roleOf(message);
    if (role === undefined) return;
    const { content, timestamp, created_at: createdAt } = message;
    const written = [timestamp, createdAt].find((one) => typeof one === 'string');
    const at = typeof written === 'string' ? Date.parse(written) : Number.NaN;
    // Numbers and not ids: an edited file may say the same id twice.
    const id = `m${index}`;
    messages.push({
      id,
      parentId: before,
      line: index + 1,
      at,
      role,
      text: role === 'user' ? textOf(content) : '',
      attachments: role === 'user' ? imagesOf(content) : [],
      parts: role === 'reply' ? partsOf(content, results, at >= 0 ? at : 0) : [],
    });
    before = id;
  });
  const first = messages.find(({ role, text }) => role === 'user' && text.trim() !== '');
  return { title: first?.text.trim().split('\n', 1)[0] ?? '', messages, model: 'QwenPaw' };
}

function roleOf({ role, content }: Block): ForeignMessage['role'] | undefined {
  const isEmpty = blocksOf(content).every(({ type }) => type === 'tool_result');
  if (isEmpty) return undefined;
  if (role === 'user') return 'user';
  return role === 'assistant' ? 'reply' : undefined;
}

function field(value: unknown, name: string): unknown {
  return isBlock(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
