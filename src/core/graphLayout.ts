import type { Children, Nodes } from './graph';
import type { NodeId } from './ids';

/*
 * The picture of a session: one row for each node, from the first message down, and lanes to the right of it.
 *
 * A node's branches come before the child it goes on with, each with everything under it, one lane further right; that
 * child then goes on in the node's own lane. So between a node and any of its children no other node lies in its lane,
 * a line turns off only into the lane beside it, and no two lines ever cross. The active path is the first lane, and a
 * session is as wide as its branches are deep, not as wide as there are many.
 */

/** One row of the picture. `start` and `here` are no nodes: what all first messages follow, and where the session stands. */
export interface GraphRow {
  readonly kind: 'start' | 'node' | 'here';
  /** Null for what is no node. */
  readonly id: NodeId | null;
  /** The row of what it follows; -1 for the first row. */
  readonly parent: number;
  readonly lane: number;
  /** Counts the branches in the order they are met; 0 is the active path. */
  readonly branch: number;
  /** On the way from the start to where the session stands. */
  readonly active: boolean;
}

interface Waiting {
  readonly kind: GraphRow['kind'];
  readonly id: NodeId | null;
  readonly parent: number;
  readonly lane: number;
  /** Undefined begins a branch. */
  readonly branch: number | undefined;
}

/** What the layout reads of a session. */
export interface LayoutSource {
  readonly nodes: Nodes;
  readonly children: Children;
  /** The child last on the active path under each node: the one an inactive branch goes on with. */
  readonly viewed: ReadonlyMap<NodeId | null, NodeId>;
  readonly head: NodeId | null;
  /** Messages left out with everything under them, unless they are on the active path. */
  readonly left?: ReadonlySet<NodeId>;
}

/** Lays a session out, in time proportional to its nodes. The start has a row where several first messages follow it. */
export function layoutGraph(source: LayoutSource): GraphRow[] {
  const { nodes, children, head } = source;
  const active = activePath(nodes, head);
  const seen = (below: readonly NodeId[]): readonly NodeId[] =>
    source.left === undefined || source.left.size === 0
      ? below
      : below.filter((id) => active.has(id) || source.left?.has(id) !== true);
  const roots = seen(rootsOf(source));
  const rows: GraphRow[] = [];
  const stack: Waiting[] = [];
  let branches = 0;

  /** Puts what follows a row on the stack, so that what it goes on with comes off last. */
  const follow = (id: NodeId | null, below: readonly NodeId[], at: Waiting, row: number): void => {
    const main = id === head ? undefined : goesOnWith(source, id, below, active);
    const next = (child: NodeId, own: boolean): Waiting => ({
      kind: 'node',
      id: child,
      parent: row,
      lane: own ? at.lane : at.lane + 1,
      branch: own ? at.branch : undefined,
    });
    if (id === head) stack.push({ ...at, kind: 'here', id: null, parent: row });
    else if (main !== undefined) stack.push(next(main, true));
    for (let index = below.length - 1; index >= 0; index--) {
      const child = below[index];
      if (child !== undefined && child !== main) stack.push(next(child, false));
    }
  };

  const top: Waiting = { kind: 'start', id: null, parent: -1, lane: 0, branch: 0 };
  const [only] = roots;
  if (roots.length === 1 && head !== null && only !== undefined)
    stack.push({ ...top, kind: 'node', id: only });
  else stack.push(top);
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const branch = at.branch ?? ++branches;
    const { kind, id, parent, lane } = at;
    const lit = kind !== 'node' || (id !== null && active.has(id));
    const row = rows.push({ kind, id, parent, lane, branch, active: lit }) - 1;
    if (kind === 'here') continue;
    follow(id, id === null ? roots : seen(children.get(id) ?? []), { ...at, branch }, row);
  }
  return rows;
}

function activePath(nodes: Nodes, head: NodeId | null): ReadonlySet<NodeId> {
  const path = new Set<NodeId>();
  for (let id = head; id !== null && !path.has(id); id = nodes.get(id)?.parentId ?? null)
    path.add(id);
  return path;
}

/** What follows the start, or follows something that is gone or not shown. */
function rootsOf({ nodes, children }: LayoutSource): readonly NodeId[] {
  const roots = [...(children.get(null) ?? [])];
  for (const [parent, below] of children) {
    if (parent === null) continue;
    const node = nodes.get(parent);
    if (node === undefined || node.role === 'files') roots.push(...below);
  }
  return roots;
}

function goesOnWith(
  { viewed }: LayoutSource,
  id: NodeId | null,
  below: readonly NodeId[],
  active: ReadonlySet<NodeId>,
): NodeId | undefined {
  const lit = below.find((child) => active.has(child));
  if (lit !== undefined) return lit;
  const seen = viewed.get(id);
  return seen !== undefined && below.includes(seen) ? seen : below.at(-1);
}
