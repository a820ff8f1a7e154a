import * as v from 'valibot';
import type { Link } from '../../core/changes';
import { compareSiblings } from '../../core/graph';
import type { NodeId, SessionId } from '../../core/ids';
import type { AssistantNode, GraphNode, Part } from '../../core/node';
import type { SessionInfo, SessionRecord } from '../../core/session';
import { RetraceError } from '../errors';
import {
  badLine,
  bounds,
  imported,
  importedTitle,
  plainInput,
  time,
  type ImportPorts,
} from './bounds';
import { exportFormat } from '../exportSession';
import type { ForkPlan } from '../fork';
import { plainLabel } from '../marks';
import { markSchema, parseRecord } from '../store/schemas';

/*
 * A file that is imported may come from anyone. Its messages are history to read and go on from, and nothing else: ids are
 * made anew, every recorded file state becomes uncovered, so that no move ever writes, renames or deletes what it names,
 * and attachments that name files are left out, so that nothing here is read and sent for it.
 */

const fileSchema = v.object({
  format: v.literal(exportFormat.format),
  version: v.literal(exportFormat.version),
  session: v.object({ title: v.string(), createdAt: v.number() }),
  standing: v.object({ head: v.nullable(v.string()) }),
  nodes: v.pipe(v.array(v.unknown()), v.maxLength(bounds.nodes)),
  marks: v.optional(v.pipe(v.array(markSchema), v.maxLength(bounds.nodes)), []),
});

/** Works out the session that an exported file holds, given its text and what that says. Throws `invalid` with the line. */
export function planRetraceFile(text: string, value: unknown, ports: ImportPorts): ForkPlan {
  const file = v.safeParse(fileSchema, value);
  if (!file.success)
    throw new RetraceError('invalid', 'This is no session that Retrace has exported.');
  const { session, standing, marks } = file.output;
  const nodes = file.output.nodes.map((value, index) => parseNode(value, index, text));
  const ordered = inOrder(nodes, text);
  const ids = new Map(ordered.map(({ id }): [NodeId, NodeId] => [id, ports.newId()]));
  const counts = new Map<NodeId | null, number>();
  const records = ordered.map((node): SessionRecord => {
    const parentId = node.parentId === null ? null : (ids.get(node.parentId) ?? null);
    const order = counts.get(parentId) ?? 0;
    counts.set(parentId, order + 1);
    const id = ids.get(node.id) ?? ports.newId();
    const createdAt = time(node.createdAt, ports.now());
    return {
      type: 'node',
      node: history(node, { id, parentId, filesFrom: parentId, createdAt, order }, ids),
    };
  });
  const head = standing.head === null ? null : (ids.get(standing.head) ?? null);
  const id: SessionId = ports.newId();
  const info: SessionInfo = {
    id,
    title: importedTitle(session.title),
    titleLocked: true,
    folders: ports.folders,
    createdAt: time(session.createdAt, ports.now()),
    archived: false,
  };
  return {
    info,
    records: [
      { type: 'info', info },
      ...records,
      ...marks.flatMap(({ messageId, label, archived }): SessionRecord[] => {
        const marked = ids.get(messageId);
        if (marked === undefined) return [];
        const mark = {
          messageId: marked,
          ...(label !== undefined && { label: plainLabel(label) }),
          ...(archived !== undefined && { archived }),
        };
        return [{ type: 'mark', mark }];
      }),
      { type: 'standing', standing: { head, filesHead: head, apart: {} } },
    ],
  };
}

function parseNode(value: unknown, index: number, text: string): GraphNode {
  const record = parseRecord({ type: 'node', node: value });
  if (record?.type === 'node') return record.node;
  const named = v.safeParse(v.object({ id: v.string() }), value);
  const at = named.success ? text.indexOf(JSON.stringify(named.output.id)) : -1;
  if (at === -1) throw new RetraceError('invalid', 'Message {0} is not sound.', [index + 1]);
  throw new RetraceError('invalid', 'The message in line {0} is not sound.', [lineAt(text, at)]);
}

/** Returns the number of the line that holds a position. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}

/** Returns what people see with every message after what it follows. Throws where that cannot be. */
function inOrder(nodes: readonly GraphNode[], text: string): GraphNode[] {
  const shown = nodes.filter((node) => node.role !== 'files');
  const below = new Map<NodeId | null, GraphNode[]>();
  const known = new Set<NodeId>();
  const refuse = ({ id }: GraphNode): RetraceError =>
    badLine(lineAt(text, text.indexOf(JSON.stringify(id))));
  for (const node of shown) {
    if (known.has(node.id)) throw refuse(node);
    known.add(node.id);
    const list = below.get(node.parentId) ?? [];
    list.push(node);
    below.set(node.parentId, list);
  }
  for (const list of below.values()) list.sort(compareSiblings);
  const ordered: GraphNode[] = [...(below.get(null) ?? [])];
  for (let index = 0; index < ordered.length; index++) {
    const found = below.get(ordered[index]?.id ?? null) ?? [];
    for (const node of found) ordered.push(node);
  }
  const reached = new Set(ordered);
  const lost = shown.find((node) => !reached.has(node));
  if (lost !== undefined) throw refuse(lost);
  return ordered;
}

type Base = Pick<GraphNode, 'id' | 'parentId' | 'filesFrom' | 'createdAt' | 'order'>;

function history(node: GraphNode, base: Base, ids: ReadonlyMap<NodeId, NodeId>): GraphNode {
  switch (node.role) {
    case 'user': {
      const attachments = node.attachments.filter((attachment) => 'base64' in attachment);
      return { ...base, role: 'user', text: node.text, attachments };
    }
    case 'assistant':
      return reply(node, base);
    case 'summary': {
      const covers = node.covers.flatMap((id) => ids.get(id) ?? []);
      return { ...base, role: 'summary', text: node.text, covers };
    }
    case 'notice':
      return { ...base, role: 'notice', text: node.text };
    case 'files':
      return { ...base, role: 'files', changes: [] };
  }
}

function reply(node: AssistantNode, base: Base): AssistantNode {
  const { model, parts, status, error, changes } = node;
  return {
    ...base,
    role: 'assistant',
    model,
    parts: parts.map((part) => plainPart(part, base.createdAt)),
    status: status === 'running' ? 'interrupted' : status,
    changes: changes.flatMap(uncovered),
    ...(error && { error }),
  };
}

/** What a provider wanted back is worth nothing elsewhere. */
function plainPart(part: Part, at: number): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text };
    case 'tool': {
      const { providerData: _, endedAt, ...rest } = part;
      return {
        ...rest,
        input: plainInput(part.input),
        state: part.state === 'running' ? 'interrupted' : part.state,
        startedAt: time(part.startedAt, at),
        ...(endedAt !== undefined && { endedAt: time(endedAt, at) }),
      };
    }
    case 'todo':
      return part;
  }
}

/** A change stays in its reply's list, and that is all: neither side has bytes, and nothing outside a folder is named. */
function uncovered(link: Link): Link[] {
  const file = link.type === 'change' ? link.file : link.type === 'rename' ? link.to : undefined;
  if (file === undefined || !/^f\d+\//u.test(file)) return [];
  return [{ type: 'change', file, before: imported, after: imported, by: link.by }];
}
