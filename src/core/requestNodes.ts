import type { NodeId } from './ids';
import type { AssistantNode, GraphNode, SummaryNode, UserNode } from './node';

/** A node that has a place in a request. */
export type RequestNode = UserNode | AssistantNode | SummaryNode;

/**
 * Returns the nodes a request is made of, in order: notices and file nodes are never sent, and a summary stands where
 * the first of the nodes it covers stood. `history` is a head's ancestors, oldest first.
 */
export function requestNodes(history: readonly GraphNode[]): readonly RequestNode[] {
  const position = new Map<NodeId, number>();
  for (const [index, node] of history.entries()) position.set(node.id, index);
  const covered = new Set<NodeId>();
  const standsAt = new Map<NodeId, number>();
  for (const [index, node] of history.entries()) {
    if (node.role !== 'summary') continue;
    let first = index;
    for (const id of node.covers) {
      const at = position.get(id);
      if (at === undefined || at >= index) continue;
      covered.add(id);
      first = Math.min(first, standsAt.get(id) ?? at);
    }
    standsAt.set(node.id, first);
  }
  const placed: { readonly at: number; readonly node: RequestNode }[] = [];
  for (const [index, node] of history.entries()) {
    if (covered.has(node.id) || node.role === 'notice' || node.role === 'files') continue;
    placed.push({ at: standsAt.get(node.id) ?? index, node });
  }
  return placed.sort((a, b) => a.at - b.at).map(({ node }) => node);
}
