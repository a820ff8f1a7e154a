import type { TurnError } from '../core/node';
import { RetraceError } from './errors';
import { ToolError, type BlobStore, type CopyKeeper } from './ports';

/** How much room there is for copies. */
export interface Room {
  /** Says whether so many bytes more stay within the budget. Costs nothing as long as they do. */
  fits(bytes: number): boolean;
  /** Counts, removes what nothing needs, and says whether the bytes fit then. */
  makeRoom(bytes: number): Promise<boolean>;
  /** Calls back when the budget changed or something was removed; returns what ends that. */
  onChange(listener: () => void): () => void;
  /** Says how full it is, in words for people. */
  figure(needed?: number): string;
}

/** Keeps every copy, however many there are. */
export function keepAll(blobs: BlobStore): CopyKeeper {
  return {
    keep: async (bytes, hash) => ({ hash: await blobs.put(bytes, hash) }),
    hash: (bytes) => blobs.hash(bytes),
    get: (hash) => blobs.get(hash),
  };
}

/**
 * The copies of one turn. Where they would go over the budget and nothing is free to drop, it asks once: as soon as there
 * is room the question is gone; with leave the turn goes on without copies, else what cannot be kept is not changed.
 */
export class TurnCopies implements CopyKeeper {
  #leave: Promise<boolean> | undefined;

  constructor(
    private readonly blobs: BlobStore,
    private readonly room: Room,
    /** Asks whether to go on without copies; a question still open when the signal fires counts as refused. */
    private readonly ask: (figure: string, signal: AbortSignal) => Promise<boolean>,
    private readonly signal: AbortSignal,
  ) {}

  async keep(bytes: Uint8Array, hash?: string): Promise<{ readonly hash: string } | undefined> {
    if (!this.room.fits(bytes.length) && !(await this.isThere(hash))) {
      if (!(await this.hasRoom(bytes.length))) return undefined;
    }
    return { hash: await this.blobs.put(bytes, hash) };
  }

  hash(bytes: Uint8Array): Promise<string> {
    return this.blobs.hash(bytes);
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return this.blobs.get(hash);
  }

  /** What is stored already takes no room. */
  private async isThere(hash: string | undefined): Promise<boolean> {
    return hash !== undefined && (await this.blobs.get(hash)) !== undefined;
  }

  /** Returns false with leave to go on without; throws without leave. */
  private async hasRoom(size: number): Promise<boolean> {
    if (await this.room.makeRoom(size)) return true;
    this.#leave ??= this.question(size);
    const leave = await this.#leave;
    if (this.room.fits(size)) return true;
    if (leave) return false;
    throw new ToolError(
      'The storage for copies of files is full, and the user did not allow to go on without copies: what this would change could not be taken back.',
      true,
    );
  }

  /** Asks until there is an answer or room. What was done about it and was not enough is seen in the next question. */
  private async question(size: number): Promise<boolean> {
    try {
      for (;;) {
        const asked = await this.askOnce(size);
        if (asked.leave !== undefined || this.room.fits(size)) return asked.leave ?? false;
      }
    } finally {
      // Once there was room the next time asks anew.
      if (this.room.fits(size)) this.#leave = undefined;
    }
  }

  private async askOnce(size: number): Promise<{ readonly leave: boolean | undefined }> {
    const figure = this.room.figure(size);
    const settled = new AbortController();
    const end = (): void => settled.abort();
    const over = { byChange: false };
    this.signal.addEventListener('abort', end);
    const unlisten = this.room.onChange(() => {
      if (!this.room.fits(size) && this.room.figure(size) === figure) return;
      over.byChange = true;
      end();
    });
    try {
      const leave = await this.ask(figure, settled.signal);
      return { leave: over.byChange && !this.signal.aborted ? undefined : leave };
    } finally {
      unlisten();
      this.signal.removeEventListener('abort', end);
    }
  }
}

/**
 * Stops the turn where a copy cannot be stored, as on a full disk: the file it was to be of is not changed, and nor is
 * another one that could not be taken back either.
 */
export class StoppingCopies implements CopyKeeper {
  /** Why the turn was stopped. */
  failure: TurnError | undefined;

  constructor(
    private readonly copies: CopyKeeper,
    private readonly controller: AbortController,
  ) {}

  hash(bytes: Uint8Array): Promise<string> {
    return this.copies.hash(bytes);
  }

  get(hash: string): Promise<Uint8Array | undefined> {
    return this.copies.get(hash);
  }

  async keep(bytes: Uint8Array, hash?: string): Promise<{ readonly hash: string } | undefined> {
    try {
      return await this.copies.keep(bytes, hash);
    } catch (error) {
      if (error instanceof RetraceError && error.code === 'storage') {
        this.failure ??= { code: 'storage', message: error.text };
        this.controller.abort();
      }
      throw error;
    }
  }
}
