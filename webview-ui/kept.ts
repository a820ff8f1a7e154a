import { keep, loadKept } from './vscodeApi';

/** What the page keeps for one session over its own reloads. */
export interface KeptSession {
  /** The draft version the text belongs to; a newer one from the host wins. */
  readonly version?: number;
  readonly text?: string;
  readonly caret?: number;
  /** The first message in sight and how far it is from the top; missing while the end is followed. */
  readonly anchor?: { readonly messageId: string; readonly offset: number };
}

export interface Kept {
  readonly version: 1;
  /** Keys of what was unfolded, oldest first. */
  readonly open: readonly string[];
  readonly overlay?: 'sessions';
  /** Newest last. */
  readonly sessions: readonly (readonly [string, KeptSession])[];
}

const none: Kept = { version: 1, open: [], sessions: [] };
const sessionsKept = 20;
const foldsKept = 200;

/** Returns what an earlier life of the page kept; what has another shape was not written by this version. */
export function readKept(): Kept {
  const found = loadKept();
  const usable =
    typeof found === 'object' &&
    found !== null &&
    'version' in found &&
    found.version === 1 &&
    'open' in found &&
    Array.isArray(found.open) &&
    'sessions' in found &&
    Array.isArray(found.sessions);
  return usable ? (found as Kept) : none;
}

/** Collects what is to be kept and writes it at most a few times a second. */
export class Keeper {
  readonly open: Set<string>;
  readonly #sessions: Map<string, KeptSession>;
  overlay: 'sessions' | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(kept: Kept) {
    this.open = new Set(kept.open);
    this.#sessions = new Map(kept.sessions);
    this.overlay = kept.overlay;
  }

  session(id: string): KeptSession {
    return this.#sessions.get(id) ?? {};
  }

  setSession(id: string, change: KeptSession): void {
    const old = this.session(id);
    this.#sessions.delete(id);
    this.#sessions.set(id, { ...old, ...change });
    this.changed();
  }

  follow(id: string): void {
    const { anchor: _, ...rest } = this.session(id);
    this.#sessions.set(id, rest);
    this.changed();
  }

  changed(): void {
    this.#timer ??= setTimeout(() => this.write(), 250);
  }

  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const kept: Kept = {
      version: 1,
      open: [...this.open].slice(-foldsKept),
      ...(this.overlay ? { overlay: this.overlay } : {}),
      sessions: [...this.#sessions].slice(-sessionsKept),
    };
    keep(kept);
  }
}
