import type { NodeId, SessionId } from '../core/ids';
import type { GraphNode, NoticeNode } from '../core/node';
import type { SessionInfo, SessionRecord, SessionState } from '../core/session';
import { graphFaults } from '../core/soundness';
import type { ForkPlan } from './fork';
import { marksOf } from './marks';

/** A session made of a backup's records, under an id and a title of its own. Moves that never settled stay out. */
export function planRestore(
  info: SessionInfo,
  records: readonly SessionRecord[],
  as: { readonly id: SessionId; readonly title: string },
): ForkPlan {
  const settled = new Set(
    records.flatMap((record) =>
      record.type === 'move' && record.move.results !== undefined ? [record.move.id] : [],
    ),
  );
  const history = records.filter(
    (record) => record.type !== 'info' && (record.type !== 'move' || settled.has(record.move.id)),
  );
  const named: SessionInfo = { ...info, ...as, titleLocked: true, archived: false };
  return { info: named, records: [{ type: 'info', info: named }, ...history] };
}

/**
 * A copy in which every message can be reached: a notice stands for each message that is missing, and a circle begins at
 * the message of it that was stored first.
 */
export function planRepair(
  state: SessionState,
  as: { readonly id: SessionId; readonly title: string; readonly notice: string },
): ForkPlan {
  const { missing, circles } = graphFaults(state.nodes);
  const cut = new Set<NodeId>();
  const circling = new Set(circles);
  for (const id of state.nodes.keys()) {
    if (!circling.has(id)) continue;
    cut.add(id);
    for (let at: NodeId | null = id; at !== null && circling.delete(at);)
      at = state.nodes.get(at)?.parentId ?? null;
  }
  const notices = missing.map((id): NoticeNode => ({
    ...{ role: 'notice', id, parentId: null, filesFrom: null, createdAt: 0, order: 0 },
    text: as.notice,
  }));
  const nodes: GraphNode[] = [
    ...notices,
    ...[...state.nodes.values()].map((node) =>
      cut.has(node.id) ? { ...node, parentId: null } : node,
    ),
  ];
  const info: SessionInfo = { ...state.info, id: as.id, title: as.title, titleLocked: true };
  return {
    info,
    records: [
      { type: 'info', info },
      ...nodes.map((node): SessionRecord => ({ type: 'node', node })),
      ...marksOf(state).map((mark): SessionRecord => ({ type: 'mark', mark })),
      { type: 'standing', standing: state.standing },
    ],
  };
}
