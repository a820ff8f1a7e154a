import { estimateTokens } from '../../core/estimate';
import type { GraphNode, Usage } from '../../core/node';
import { usageOf } from '../../core/usage';
import type { OpenSession } from '../../engine/openSession';
import type { Translate } from '../../engine/ports';

/** Says in a line what a turn took; undefined where nothing was counted. */
export function usageText(usage: Usage | undefined, t: Translate): string | undefined {
  const { inputTokens, outputTokens, cachedTokens = 0, cost } = usage ?? {};
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const parts = [
    t('{0} tokens in, {1} out', short(inputTokens ?? 0), short(outputTokens ?? 0)),
    ...(cachedTokens > 0 ? [t('{0} of them cached', short(cachedTokens))] : []),
    ...(cost === undefined ? [] : [`$${cost.toFixed(cost < 1 ? 4 : 2)}`]),
  ];
  return parts.join(' · ');
}

/** Says what the branch that is shown, and the whole session with every branch left behind, took so far. */
export class UsageTexts {
  readonly #known = new WeakMap<OpenSession, { key: string; lines: readonly string[] }>();

  of(session: OpenSession, path: readonly GraphNode[], t: Translate): readonly string[] {
    const { nodes } = session.state;
    const running = session.running !== undefined;
    const key = `${nodes.size} ${path.at(-1)?.id ?? ''} ${running}`;
    const known = this.#known.get(session);
    if (known?.key === key) return known.lines;
    const branch = usageText(usageOf(path), t);
    const all = usageText(usageOf(nodes.values()), t);
    const lines = [
      ...(branch === undefined ? [] : [t('This branch: {0}', branch)]),
      ...(all === undefined ? [] : [t('Whole session: {0}', all)]),
    ];
    this.#known.set(session, { key, lines });
    return lines;
  }
}

/** What a request from a head takes in: as the provider counted it last, and what came since as estimated. */
export function contextTokens(path: readonly GraphNode[]): number {
  for (let at = path.length - 1; at >= 0; at--) {
    const node = path[at];
    // What a summary stands for is not sent again, so no count from before it holds.
    if (node?.role === 'summary') break;
    if (node?.role !== 'assistant' || node.usage?.contextTokens === undefined) continue;
    return node.usage.contextTokens + estimateTokens(path.slice(at + 1));
  }
  return estimateTokens(path);
}

function short(count: number): string {
  if (count < 10_000) return String(Math.round(count));
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
