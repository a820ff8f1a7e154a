import type { Link } from '../../core/changes';
import { uriKey, type SessionFolder } from '../../core/fileKey';
import type { NodeId } from '../../core/ids';
import type { AssistantNode, Attachment, GraphNode, Part, ToolPart } from '../../core/node';
import type { SessionInfo, SessionRecord } from '../../core/session';
import { URI } from 'vscode-uri';
import { RetraceError } from '../errors';
import type { ForkPlan } from '../fork';
import { badLine, imported, importedTitle, time, type ImportPorts } from './bounds';

/** One message of another tool: a reply there may be many of these, one after the other. */
export interface ForeignMessage {
  readonly id: string;
  readonly parentId: string | null;
  /** For people who are told that it is not sound; one-based. */
  readonly line: number;
  readonly at: number;
  readonly role: 'user' | 'reply' | 'notice';
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly parts: readonly Part[];
  readonly model?: string;
}

/** A conversation of another tool, its messages in the order they were written. */
export interface ForeignSession {
  readonly title: string;
  readonly messages: readonly ForeignMessage[];
  /** What model replies are of where they do not say. */
  readonly model: string;
}

/** A reply that more may still be added to. */
interface Open {
  readonly first: ForeignMessage;
  readonly parts: Part[];
  /** Another way from here has the same parts: they are copied before more is added. */
  readonly shared: boolean;
  readonly holdsLast: boolean;
  readonly model: string | undefined;
}

interface Waiting {
  readonly message: ForeignMessage;
  readonly parent: NodeId | null;
  readonly open: Open | undefined;
}

/** Parts that a reply shares with one that branched off it are copied; a file made to multiply them is refused. */
const mostParts = 2_000_000;

/**
 * Works out the session a conversation of another tool makes. A user's message is a node; what answers it, however many
 * messages that was, is one reply. Where the conversation branches within a reply, each way is a reply of its own, so that
 * every branch is there. Throws `invalid` with the line of a message that leads nowhere.
 */
export function planForeign(session: ForeignSession, ports: ImportPorts): ForkPlan {
  const { messages } = session;
  const below = childrenOf(messages);
  const last = messages.at(-1);
  const records: SessionRecord[] = [];
  const orders = new Map<NodeId | null, number>();
  const met = new Set<ForeignMessage>();
  let head: NodeId | null = null;
  let hasHead = false as boolean;
  let copied = 0;

  const place = (parentId: NodeId | null, at: number) => {
    const order = orders.get(parentId) ?? 0;
    orders.set(parentId, order + 1);
    const createdAt = time(at, ports.now());
    return { id: ports.newId(), parentId, filesFrom: parentId, createdAt, order };
  };
  const put = (node: GraphNode, holdsLast: boolean): NodeId => {
    records.push({ type: 'node', node });
    if (holdsLast) head = node.id;
    hasHead ||= holdsLast;
    return node.id;
  };
  const close = (open: Open, parent: NodeId | null): NodeId =>
    put(
      {
        ...place(parent, open.first.at),
        role: 'assistant',
        model: open.model ?? session.model,
        parts: open.parts,
        status: 'done',
        changes: changesOf(open.parts, ports.folders),
      } satisfies AssistantNode,
      open.holdsLast,
    );

  const stack: Waiting[] = [];
  const follow = (ways: readonly ForeignMessage[], parent: NodeId | null, open?: Open): void => {
    for (const message of ways.toReversed()) stack.push({ message, parent, open });
  };
  follow(below.get(null) ?? [], null);
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { message, parent } = next;
    met.add(message);
    const ways = below.get(message.id) ?? [];
    if (message.role !== 'reply') {
      const { role, text, attachments } = message;
      const base = place(parent, message.at);
      const node: GraphNode =
        role === 'user' ? { ...base, role, text, attachments } : { ...base, role, text };
      follow(ways, put(node, message === last));
      continue;
    }
    const { open: before } = next;
    const parts = before === undefined ? [] : before.shared ? [...before.parts] : before.parts;
    if (before?.shared === true) copied += parts.length;
    if (copied > mostParts) throw new RetraceError('invalid', 'The file is too large.');
    for (const part of message.parts) parts.push(part);
    const open: Open = {
      first: before?.first ?? message,
      parts,
      shared: false,
      holdsLast: before?.holdsLast === true || message === last,
      model: before?.model ?? message.model,
    };
    const goesOn = ways.filter(({ role }) => role === 'reply');
    if (ways.length === 1 && goesOn.length === 1) {
      follow(goesOn, parent, open);
      continue;
    }
    const answered = ways.filter(({ role }) => role !== 'reply');
    // What goes on from the reply and what goes on with it are two ways, the first of them whole here.
    follow(goesOn, parent, { ...open, shared: true, holdsLast: false });
    if (answered.length > 0 || goesOn.length === 0) follow(answered, close(open, parent));
  }
  const lost = messages.find((message) => !met.has(message));
  if (lost !== undefined) throw badLine(lost.line);
  // The last line may be one that others, written before it, go on from.
  const newest = records.at(-1);
  if (!hasHead && newest?.type === 'node') head = newest.node.id;
  const info: SessionInfo = {
    id: ports.newId(),
    title: importedTitle(session.title),
    titleLocked: true,
    folders: ports.folders,
    createdAt: time(messages[0]?.at ?? Number.NaN, ports.now()),
    archived: false,
  };
  return {
    info,
    records: [
      { type: 'info', info },
      ...records,
      { type: 'standing', standing: { head, filesHead: head, apart: {} } },
    ],
  };
}

function childrenOf(
  messages: readonly ForeignMessage[],
): ReadonlyMap<string | null, readonly ForeignMessage[]> {
  const below = new Map<string | null, ForeignMessage[]>();
  for (const message of messages) {
    const list = below.get(message.parentId) ?? [];
    list.push(message);
    below.set(message.parentId, list);
  }
  return below;
}

/** Tools that write one file, as other tools name them, and where they name it. */
const writing = /^(?:write|edit|multiedit|notebookedit|write_file|edit_file|append_file)$/iu;
const fields = ['file_path', 'notebook_path', 'path'] as const;

/** Returns the changes of files that calls speak of: in the list of the reply, and nothing any move could write. */
function changesOf(parts: readonly Part[], folders: readonly SessionFolder[]): Link[] {
  const files = parts.flatMap((part) =>
    part.type === 'tool' && part.state === 'done' && writing.test(part.name)
      ? fileOf(part, folders)
      : [],
  );
  return [...new Set(files)].map((file) => ({
    type: 'change',
    file,
    before: imported,
    after: imported,
    by: 'agent',
  }));
}

function fileOf({ input }: ToolPart, folders: readonly SessionFolder[]): string[] {
  if (typeof input !== 'object' || input === null) return [];
  const entries = new Map<string, unknown>(Object.entries(input));
  const path = fields.map((field) => entries.get(field)).find((one) => typeof one === 'string');
  if (typeof path !== 'string' || path.includes('\0') || path.length > 4_000) return [];
  const slashes = path.replaceAll('\\', '/');
  if (!/^(?:\/|[a-z]:\/)/iu.test(slashes)) return [];
  const key = uriKey(folders, URI.file(slashes).toString());
  return /^f\d+\//u.test(key) ? [key] : [];
}
