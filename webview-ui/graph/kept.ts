import * as v from 'valibot';
import { loadKept } from '../vscodeApi';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const keptSchema = v.object({
  version: v.literal(1),
  zoom: whole,
  fold: v.boolean(),
  current: v.string(),
  archived: v.optional(v.boolean(), false),
});

/** What the graph's page finds again after it was hidden or reloaded. */
export type KeptGraph = v.InferOutput<typeof keptSchema>;

/** Returns what an earlier life of the page kept; what has another shape was not written by this version. */
export function readKept(): KeptGraph {
  const found = v.safeParse(keptSchema, loadKept());
  return found.success
    ? found.output
    : { version: 1, zoom: 2, fold: true, current: 'here', archived: false };
}
