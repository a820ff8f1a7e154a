import type { Usage } from '../core/node';
import type { ModelPrice } from '../engine/ports';

/** Returns what a call cost in US dollars: as the server told, else by the prices that were set, else nothing. */
export function costOf(usage: Usage, price: ModelPrice | undefined): number | undefined {
  if (usage.cost !== undefined || price === undefined) return usage.cost;
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0 } = usage;
  const fresh = Math.max(inputTokens - cachedTokens, 0);
  const { input, output, cachedInput = input } = price;
  return (fresh * input + cachedTokens * cachedInput + outputTokens * output) / 1_000_000;
}
