import * as v from 'valibot';
import { RetraceError } from '../errors';
import type { FileSystem, Log, Runtime } from '../ports';
import { unwrap, wrap } from './envelope';
import { child, readIfThere } from './names';

const flagSchema = v.object({ id: v.string(), savedAt: v.number(), ended: v.boolean() });
type Flag = v.InferOutput<typeof flagSchema>;

/** So often a clean-up says that it goes on, in milliseconds. */
const beatEvery = 900;
/** One that was silent for so long counts as abandoned. */
const staleAfter = 4 * beatEvery;
/** Its own word must not be older than this when it removes something: others believe it twice as long. */
const sureFor = 2 * beatEvery;
const lookEvery = 100;

/** A clean-up under way. */
export interface Sweep {
  /** False when others may take it for abandoned: nothing may be removed any more. */
  sure(): boolean;
  end(): Promise<void>;
}

/**
 * Which process removes stored copies. One that is about to says so and then looks whether another one is at work; one
 * that begins to work says so and then looks here. Whichever is second sees the first.
 */
export class Sweeps {
  #seen: string | undefined;
  #own: string | undefined;

  constructor(
    private readonly root: string,
    private readonly ports: {
      readonly files: FileSystem;
      readonly runtime: Pick<Runtime, 'now' | 'newId'>;
      readonly log: Log;
    },
  ) {}

  /** Says that copies are about to be removed. Throws `run_active` while another window does that. */
  async begin(): Promise<Sweep> {
    const { now, newId } = this.#clock();
    if (this.#own !== undefined || this.#underWay(await this.#read()))
      throw new RetraceError('run_active', 'The storage is being cleaned up already.');
    const id = newId();
    this.#own = id;
    let heard = now();
    let last: Promise<void> = Promise.resolve();
    const say = (ended: boolean): Promise<void> => {
      const write = async (): Promise<void> => {
        const at = now();
        await this.#write({ id, savedAt: at, ended });
        heard = at;
      };
      last = last.then(write, write);
      return last;
    };
    try {
      await say(false);
    } catch (error) {
      this.#own = undefined;
      throw error;
    }
    const timer = setInterval(() => {
      say(false).catch((error: unknown) =>
        this.ports.log.warn('That a clean-up goes on could not be said', error),
      );
    }, beatEvery);
    return {
      sure: () => Math.abs(now() - heard) < sureFor,
      end: async () => {
        clearInterval(timer);
        try {
          await say(true);
        } finally {
          this.#own = undefined;
          this.#seen = id;
        }
      },
    };
  }

  /** Resolves when no other process removes copies, and says whether one did since this was last asked. */
  async quiet(onWait: () => void = () => undefined): Promise<boolean> {
    const { now } = this.#clock();
    const from = now();
    for (;;) {
      const flag = await this.#read();
      if (flag === undefined || (flag !== 'torn' && flag.id === this.#own)) return false;
      const wait = flag === 'torn' ? Math.abs(now() - from) < staleAfter : this.#underWay(flag);
      if (!wait) {
        const id = flag === 'torn' ? 'torn' : flag.id;
        const changed = id !== this.#seen || flag === 'torn';
        this.#seen = id;
        return changed;
      }
      onWait();
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
    }
  }

  #underWay(flag: Flag | 'torn' | undefined): boolean {
    if (flag === undefined || flag === 'torn' || flag.ended) return false;
    return Math.abs(this.ports.runtime.now() - flag.savedAt) < staleAfter;
  }

  async #read(): Promise<Flag | 'torn' | undefined> {
    const bytes = await readIfThere(this.ports.files, this.#uri);
    if (bytes === undefined) return undefined;
    const opened = unwrap(bytes);
    const parsed = v.safeParse(flagSchema, opened.ok ? opened.value : undefined);
    return parsed.success ? parsed.output : 'torn';
  }

  async #write(flag: Flag): Promise<void> {
    await this.ports.files.write(
      this.#uri,
      wrap({ seq: 1, writer: 'sweep' }, JSON.stringify(flag)),
    );
  }

  #clock(): { now: () => number; newId: () => string } {
    const { runtime } = this.ports;
    return { now: () => runtime.now(), newId: () => runtime.newId() };
  }

  get #uri(): string {
    return child(this.root, 'sweep.json');
  }
}
