import { ancestors, type Nodes } from '../core/graph';
import type { NodeId, Place, SessionId } from '../core/ids';
import type { Standing } from '../core/journal';
import { changesOf, type Draft, type FileNode, type GraphNode } from '../core/node';
import type { SessionInfo, SessionRecord, SessionState } from '../core/session';

/** A session about to be made from another one's history. */
export interface ForkPlan {
  readonly info: SessionInfo;
  readonly records: readonly SessionRecord[];
  /** For a fork at a user message: its text and attachments, for the new composer. */
  readonly draft?: Draft;
}

export interface ForkOrigin {
  readonly state: SessionState;
  /** Null forks the empty beginning. */
  readonly at: NodeId | null;
  /** The reply being written in the source, if any: the fork takes the state its turn began from. */
  readonly running?: NodeId;
}

/**
 * Works out a fork: the history up to a message under the same node ids. Nodes outside it that the file states lean on
 * come along as file nodes, so that the fork knows where the disk is and can rewind also when the source is gone.
 */
export function planFork(origin: ForkOrigin, id: SessionId, title: string, now: number): ForkPlan {
  const { state, at } = origin;
  const running = origin.running === undefined ? undefined : state.nodes.get(origin.running);
  const named = at === null ? undefined : state.nodes.get(at);
  // A reply that is not there yet stands for its message: the fork begins where that turn began.
  const chosen =
    named !== undefined && named.id === running?.id
      ? state.nodes.get(running.parentId ?? '')
      : named;
  const head = chosen?.role === 'user' ? chosen.parentId : at;
  const filesHead = running === undefined ? state.standing.filesHead : running.filesFrom;
  const history = ancestors(state.nodes, head);
  const last = history.at(-1)?.id ?? null;
  const kept = new Map(history.map((node): [NodeId, GraphNode] => [node.id, node]));
  const apart = Object.fromEntries(Object.entries(state.standing.apart));
  for (const place of [
    ...history.map((node) => node.filesFrom),
    filesHead,
    ...Object.values(apart),
  ]) {
    keepFileNodes(state.nodes, place, kept);
  }
  const standing: Standing = { head: last, filesHead, apart };
  const info: SessionInfo = {
    id,
    title,
    titleLocked: true,
    folders: state.info.folders,
    createdAt: now,
    archived: false,
    forkedFrom: { sessionId: state.info.id, messageId: at },
  };
  return {
    info,
    records: [
      { type: 'info', info },
      ...[...kept.values()].map((node): SessionRecord => ({ type: 'node', node })),
      ...history.flatMap((node): SessionRecord[] => {
        const label = state.labels.get(node.id);
        return label === undefined ? [] : [{ type: 'mark', mark: { messageId: node.id, label } }];
      }),
      { type: 'standing', standing },
    ],
    ...(chosen?.role === 'user' && {
      draft: { text: chosen.text, attachments: chosen.attachments },
    }),
  };
}

function keepFileNodes(nodes: Nodes, from: Place, kept: Map<NodeId, GraphNode>): void {
  let place = from;
  while (place !== null && !kept.has(place)) {
    const node = nodes.get(place);
    if (node === undefined) return;
    const { id, parentId, filesFrom, createdAt, order } = node;
    const fileNode: FileNode = {
      role: 'files',
      id,
      parentId,
      filesFrom,
      createdAt,
      order,
      changes: changesOf(node),
    };
    kept.set(id, fileNode);
    place = filesFrom;
  }
}

const forkPrefix = /^Fork #\d+ /u;

/** Returns the title of the next fork: numbers count up over the forks of the same name, an old prefix goes first. */
export function forkTitle(title: string, existing: readonly string[]): string {
  const bare = title.replace(forkPrefix, '');
  const numbers = existing.flatMap((other) => {
    const match = /^Fork #(\d+) (.*)$/su.exec(other);
    return match?.[2] === bare ? [Number(match[1])] : [];
  });
  return `Fork #${Math.max(0, ...numbers) + 1} ${bare}`;
}
