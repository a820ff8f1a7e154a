import type { NodeId, Place } from './ids';
import type { GraphNode } from './node';

/** The nodes of a session by id. Parent links alone give it its shape: order of arrival and times mean nothing. */
export type Nodes = ReadonlyMap<NodeId, GraphNode>;

/** Returns the nodes from the first one down to `id`, both included; empty at the start. Stops at a missing or repeated node. */
export function ancestors(nodes: Nodes, id: Place): GraphNode[] {
  return walk(nodes, id, (node) => node.parentId).reverse();
}

/** Returns the nodes from the start of the `filesFrom` tree down to `place`, both included. */
export function filesAncestors(nodes: Nodes, place: Place): GraphNode[] {
  return walk(nodes, place, (node) => node.filesFrom).reverse();
}

function walk(nodes: Nodes, id: Place, next: (node: GraphNode) => Place): GraphNode[] {
  const found: GraphNode[] = [];
  const seen = new Set<NodeId>();
  let node = id === null ? undefined : nodes.get(id);
  while (node !== undefined && !seen.has(node.id)) {
    seen.add(node.id);
    found.push(node);
    const up = next(node);
    node = up === null ? undefined : nodes.get(up);
  }
  return found;
}

/** Says whether `id` lies on the way from the start to `descendant`; the start is an ancestor of everything. */
export function isAncestor(nodes: Nodes, id: NodeId | null, descendant: NodeId | null): boolean {
  if (id === null) return true;
  return ancestors(nodes, descendant).some((node) => node.id === id);
}

/** Children by parent in their stored order, kept by the session so that asking costs nothing. */
export type Children = ReadonlyMap<NodeId | null, readonly NodeId[]>;

/** Returns where a node belongs among its siblings: by stored order, then by id. */
export function compareSiblings(a: GraphNode, b: GraphNode): number {
  return a.order - b.order || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Returns every node once, parents before children and siblings in their stored order: branch by branch (depth first).
 * Nodes that no way from the start reaches come last, as they arrived.
 */
export function inOrder(nodes: Nodes, children: Children): GraphNode[] {
  const found = new Map<NodeId, GraphNode>();
  const open: (NodeId | null)[] = [null];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const node = at === null ? undefined : nodes.get(at);
    if (node !== undefined) {
      if (found.has(node.id)) continue;
      found.set(node.id, node);
    }
    open.push(...(children.get(at) ?? []).toReversed());
  }
  const rest = [...nodes.values()].filter(({ id }) => !found.has(id));
  return [...found.values(), ...rest];
}

/** Returns a node's siblings of the same role, itself included, in their stored order. */
export function siblings(nodes: Nodes, children: Children, id: NodeId): readonly NodeId[] {
  const node = nodes.get(id);
  if (node === undefined) return [];
  return (children.get(node.parentId) ?? []).filter(
    (other) => nodes.get(other)?.role === node.role,
  );
}

/**
 * Returns the leaf last viewed under a node: the remembered child at each step, else the last one.
 * `viewed` maps a node to the child that was last on the active path.
 */
export function lastViewedLeaf(
  children: Children,
  viewed: ReadonlyMap<NodeId | null, NodeId>,
  id: NodeId,
): NodeId {
  let leaf = id;
  const seen = new Set<NodeId>([leaf]);
  for (;;) {
    const below = children.get(leaf) ?? [];
    const remembered = viewed.get(leaf);
    const next = remembered !== undefined && below.includes(remembered) ? remembered : below.at(-1);
    if (next === undefined || seen.has(next)) return leaf;
    seen.add(next);
    leaf = next;
  }
}
