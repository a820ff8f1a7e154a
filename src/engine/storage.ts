import type { BlobHash, SessionId } from '../core/ids';
import type { Blobs } from './blobs';
import { needsOf, Survey, type Cleaning, type Loss, type Needs } from './cleanUp';
import { Emitter } from './emitter';
import { RetraceError } from './errors';
import type { Log, Runtime } from './ports';
import { mapBounded } from './store/parallel';
import type { SessionStore } from './store/sessionStore';
import type { Room } from './turnCopies';

export interface StoragePorts {
  readonly store: SessionStore;
  readonly blobs: Blobs;
  readonly runtime: Pick<Runtime, 'now'>;
  readonly log: Log;
  /** Bytes that stored copies may take. */
  readonly budget: () => number;
  /** Says what is taken of what may be, in words for people. */
  readonly figure: (used: number, budget: number, needed?: number) => string;
  /** How long work of another window may be silent before it counts as abandoned, in milliseconds. */
  readonly staleAfter: number;
}

/** What a clean-up came to. */
export interface Cleaned {
  readonly freedBytes: number;
  readonly freedCopies: number;
  readonly losses: readonly Loss[];
}

/** After a clean-up that did not make room the next one for room's sake waits so long, in milliseconds. */
const triedFor = 60_000;

/** What recorded file contents take, how much they may, and what can go. */
export class Storage implements Room {
  /** Fired when the budget changed or copies were removed. */
  readonly changed = new Emitter<undefined>();
  #making: Promise<void> | undefined;
  #triedAt: number | undefined;

  constructor(private readonly ports: StoragePorts) {}

  get budget(): number {
    return this.ports.budget();
  }

  /** Returns bytes taken, as far as known without counting. */
  used(): Promise<number> {
    return this.ports.blobs.usage.known();
  }

  figure(needed?: number): string {
    return this.ports.figure(this.ports.blobs.usage.bytes ?? 0, this.budget, needed);
  }

  fits(bytes: number): boolean {
    const used = this.ports.blobs.usage.bytes;
    return used === undefined || used + bytes <= this.budget;
  }

  async makeRoom(bytes: number): Promise<boolean> {
    const { log, runtime } = this.ports;
    if (this.#triedAt === undefined || runtime.now() - this.#triedAt > triedFor) {
      this.#making ??= this.#removeUnneeded()
        .catch((error: unknown) => log.warn('No room could be made in the storage', error))
        .finally(() => {
          this.#triedAt = runtime.now();
          this.#making = undefined;
        });
    }
    await this.#making;
    return this.fits(bytes);
  }

  onChange(listener: () => void): () => void {
    return this.changed.on(listener);
  }

  /** Reads what is stored and who needs it. Removes nothing. */
  async survey(): Promise<Survey> {
    return (await this.#survey()).survey;
  }

  /**
   * Removes what a cleaning named, and nothing else: what somebody came to need since stays. Throws `run_active` while
   * another window is at work or cleans up, for what it is about to refer to is seen by nobody else.
   */
  async clean(
    approved: Cleaning,
    givenUp: ReadonlySet<SessionId>,
    options: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (done: number, all: number) => void;
    } = {},
  ): Promise<Cleaned> {
    const { store, blobs } = this.ports;
    await store.assertWritable();
    const sweep = await blobs.sweeps.begin();
    try {
      return await blobs.sweep(async () => {
        const { survey, atWork } = await this.#survey();
        if (atWork) throw otherAtWork();
        // One that was brought back meanwhile is kept, whole.
        const back = approved.losses.filter(
          ({ deleted, sessionId }) => deleted && !survey.isDeleted(sessionId),
        );
        const losses = approved.losses.filter((loss) => !back.includes(loss));
        const kept = new Set(back.map(({ sessionId }) => sessionId));
        const now = survey.clean(new Set([...givenUp].filter((id) => !kept.has(id))));
        for (const { deleted, sessionId } of losses) if (deleted) await store.purge(sessionId);
        const named = new Set(approved.copies.map(({ hash }) => hash));
        const going = now.copies.filter(({ hash }) => named.has(hash));
        const removed = new Map<BlobHash, number>();
        let done = 0;
        await mapBounded(going, async ({ hash, size }) => {
          if (options.signal?.aborted === true || !sweep.sure()) return;
          if (await blobs.remove(hash)) removed.set(hash, size);
          options.onProgress?.(++done, going.length);
        });
        const freedBytes = [...removed.values()].reduce((all, size) => all + size, 0);
        blobs.usage.set(survey.bytes - freedBytes);
        return { freedBytes, freedCopies: removed.size, losses };
      });
    } finally {
      await sweep.end();
      this.changed.fire(undefined);
    }
  }

  /** Removes sessions deleted more than 7 days ago, and the copies nobody needs any more once some are gone. */
  async purgeDeleted(): Promise<void> {
    const { store, log } = this.ports;
    if ((await store.purgeDeleted()).length === 0) return;
    await this.#removeUnneeded().catch((error: unknown) => {
      // Another window is at work: what nobody needs goes the next time.
      log.warn('Copies nobody needs were left', error);
    });
  }

  async #removeUnneeded(): Promise<void> {
    await this.ports.store.purgeDeleted();
    const nobody = new Set<SessionId>();
    const cleaning = (await this.survey()).clean(nobody);
    if (cleaning.copies.length > 0) await this.clean(cleaning, nobody);
  }

  async #survey(): Promise<{ survey: Survey; atWork: boolean }> {
    const { store, blobs, runtime, staleAfter } = this.ports;
    // Listed first: what is stored later is no candidate, what is referred to later is seen.
    const copies = await blobs.sizes();
    const sessions: Needs[] = [];
    let atWork = false;
    for await (const one of store.everything()) {
      sessions.push(needsOf(one));
      atWork ||= one.others.some(({ savedAt }) => Math.abs(runtime.now() - savedAt) < staleAfter);
    }
    const survey = new Survey(copies, sessions, runtime.now());
    if (store.readOnly === undefined) blobs.usage.set(survey.bytes);
    return { survey, atWork };
  }
}

function otherAtWork(): RetraceError {
  return new RetraceError(
    'run_active',
    'Another window is writing a reply or moving files. Clean up when it is done.',
  );
}
