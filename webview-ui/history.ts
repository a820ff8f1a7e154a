import type { Attachment } from './attachments';

/** A message as the composer holds it. */
export interface Written {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/**
 * Walks back through the messages sent before, newest first. What was being written when the walk began is kept, and comes
 * back after the newest message, with Escape, and when a message of the walk was sent.
 */
export class History {
  #at: number | undefined;
  #draft: Written | undefined;

  /** Says whether an older message is shown instead of the draft. */
  get walking(): boolean {
    return this.#at !== undefined;
  }

  /** Returns what an arrow key leads to from what is written now; nothing where there is no more. */
  step(by: 1 | -1, sent: readonly (Written | undefined)[], now: Written): Written | undefined {
    const from = this.#at ?? sent.length;
    const next = from + by;
    if (next < 0 || next > sent.length || (this.#at === undefined && by === 1)) return undefined;
    if (next === sent.length) return this.end();
    // One that is not read yet is no step; a moment later it is there.
    const found = sent[next];
    if (found === undefined) return undefined;
    this.#draft ??= now;
    this.#at = next;
    return found;
  }

  /** Ends the walk and returns the draft it began with. */
  end(): Written | undefined {
    const draft = this.#draft;
    this.#at = undefined;
    this.#draft = undefined;
    return draft;
  }
}
