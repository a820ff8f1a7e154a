import * as v from 'valibot';
import type { Link } from '../../core/changes';
import type { NodeId } from '../../core/ids';
import type { Part } from '../../core/node';
import type { StoreContext } from './damage';
import type { StoredLive } from './documents';
import { unwrap, wrap } from './envelope';
import { child, deleteIfThere, listFiles, readIfThere } from './names';
import { mapBounded } from './parallel';
import { assistantNodeSchema, linkSchema } from './schemas';

/**
 * What a running turn wrote ahead of a change: the changes since what was on disk before, and those about to be made. It
 * is on disk before the first byte of a file changes, and costs one call.
 */
export interface Intent {
  /** Counts up from 1 within the turn. */
  readonly n: number;
  /** How many changes were on disk already. */
  readonly from: number;
  /** The changes from there on. */
  readonly links: readonly Link[];
  /** Changes announced and not yet read back. */
  readonly pending: readonly Link[];
  /** The parts of the reply from the first on that is not on disk as it is now: the call that changes the file is among them. */
  readonly partsFrom: number;
  readonly parts: readonly Part[];
}

const links = v.pipe(v.array(linkSchema), v.readonly());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const intentSchema = v.object({
  from: count,
  links,
  pending: links,
  partsFrom: count,
  parts: assistantNodeSchema.entries.parts,
});

const intentName = /^\d+\.json$/u;

/** The intents of one session's running turns: files written once, in a folder for each turn that goes with it. */
export class Intents {
  /** Turns that have, or may have, a folder. */
  readonly #there = new Set<NodeId>();

  constructor(
    private readonly context: StoreContext,
    private readonly id: string,
  ) {}

  async save(nodeId: NodeId, { n, ...content }: Intent): Promise<void> {
    await this.context.assertWritable();
    this.#there.add(nodeId);
    const stamp = { seq: n, writer: this.context.writer };
    await this.context.files.write(
      child(this.#folder(nodeId), `${String(n).padStart(6, '0')}.json`),
      wrap(stamp, JSON.stringify(content)),
    );
  }

  /** Returns a turn's sound intents in order. One that was cut off was never relied on: its change was not begun. */
  async read(nodeId: NodeId): Promise<Intent[]> {
    const folder = this.#folder(nodeId);
    const names = (await listFiles(this.context.files, folder)).filter((name) =>
      intentName.test(name),
    );
    if (names.length > 0) this.#there.add(nodeId);
    const found = await mapBounded(names, async (name) => {
      const bytes = await readIfThere(this.context.files, child(folder, name));
      const opened = bytes === undefined ? undefined : unwrap(bytes);
      const parsed = v.safeParse(intentSchema, opened?.ok === true ? opened.value : undefined);
      if (opened?.ok === true && parsed.success) return [{ n: opened.stamp.seq, ...parsed.output }];
      this.context.log.warn(`An intent of session ${this.id} was cut off and is left out`);
      return [];
    });
    return found.flat().sort((a, b) => a.n - b.n);
  }

  async clear(nodeId: NodeId): Promise<void> {
    if (!this.#there.has(nodeId)) return;
    await deleteIfThere(this.context.files, this.#folder(nodeId), true);
    this.#there.delete(nodeId);
  }

  #folder(nodeId: NodeId): string {
    return this.context.paths.intents(this.id, nodeId);
  }
}

/** Returns a running turn as it stood at the newest intent: the document may have been saved long before it. */
export function withIntents(live: StoredLive, intents: readonly Intent[]): StoredLive {
  let { changes, parts } = live.node;
  let pending = live.intents;
  for (const intent of intents) {
    if (intent.n <= (live.announced ?? 0)) continue;
    const end = intent.from + intent.links.length;
    if (end > changes.length) changes = [...changes.slice(0, intent.from), ...intent.links];
    parts = [...parts.slice(0, intent.partsFrom), ...intent.parts];
    pending = intent.pending;
  }
  return { ...live, node: { ...live.node, changes, parts }, intents: pending };
}
