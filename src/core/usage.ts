import type { GraphNode, Usage } from './node';

const summed = ['inputTokens', 'outputTokens', 'cachedTokens', 'calls', 'cost'] as const;

/** Adds what a later call or turn took; the size of the context is the later one's. */
export function addUsage(total: Usage, more: Usage): Usage {
  const sums = summed.flatMap((key) => {
    const [a, b] = [total[key], more[key]];
    return a === undefined && b === undefined ? [] : [[key, (a ?? 0) + (b ?? 0)] as const];
  });
  const contextTokens = more.contextTokens ?? total.contextTokens;
  return {
    ...Object.fromEntries(sums),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}

/** Returns what the replies and summaries among some nodes took together. */
export function usageOf(nodes: Iterable<GraphNode>): Usage {
  let total: Usage = {};
  for (const node of nodes) {
    if ((node.role === 'assistant' || node.role === 'summary') && node.usage !== undefined)
      total = addUsage(total, node.usage);
  }
  const { contextTokens: _, ...rest } = total;
  return rest;
}
