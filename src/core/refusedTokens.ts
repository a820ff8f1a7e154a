import type { NodeId } from './ids';
import type { GraphNode } from './node';

/**
 * Returns the size of the smallest request that a model was told to be too long, on the way to a message and among the
 * replies to it; with another window set since then, it counts no more.
 */
export function refusedTokens(
  history: readonly GraphNode[],
  siblings: Iterable<GraphNode>,
  model: { readonly id: string; readonly contextWindow?: number },
): number | undefined {
  let least: number | undefined;
  for (const node of [...history, ...siblings]) {
    if (node.role !== 'assistant' || node.model !== model.id) continue;
    const refused = node.error?.tooLong;
    if (refused === undefined || refused.window !== model.contextWindow) continue;
    least = Math.min(least ?? Infinity, refused.tokens);
  }
  return least;
}

/** Returns the replies to a message. */
export function repliesTo(
  nodes: ReadonlyMap<NodeId, GraphNode>,
  children: ReadonlyMap<NodeId | null, readonly NodeId[]>,
  id: NodeId | null,
): GraphNode[] {
  return (children.get(id) ?? []).flatMap((child) => nodes.get(child) ?? []);
}
