import type { MessageEntry } from '../src/protocol/viewModel';

/** What is drawn at one place of the transcript: a message, or room for those that are far from what is seen. */
export type Slot =
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly entry: MessageEntry;
      /** Of what is only outlined: as high as it probably is. */
      readonly height: number;
    }
  | { readonly kind: 'room'; readonly id: string; readonly height: number };

/** Where the view stands: at the end, at a distance from the top of a message, or at a place of the whole. Pixels. */
export type Place =
  'end' | { readonly messageId: string; readonly offset: number } | { readonly top: number };

/** The room between two messages, as the style sheet has it. */
const gap = 14;
const lineHeight = 20;
const characterWidth = 6.5;
/** No guess is higher: a view that guesses too high would draw too little. */
const highestGuess = 4_000;

/**
 * Chooses which messages are drawn: those in sight and about a screen around them. For the rest there is room of the
 * height they had when they were drawn, or are guessed to have.
 */
export class Range {
  readonly #heights = new Map<string, number>();
  #entries: readonly MessageEntry[] = [];
  #indexes = new Map<string, number>();
  #from = 0;
  #to = -1;
  #width = 300;

  get entries(): readonly MessageEntry[] {
    return this.#entries;
  }

  /** Begins with another conversation. */
  reset(): void {
    this.#heights.clear();
    this.#to = -1;
  }

  setEntries(entries: readonly MessageEntry[]): void {
    if (entries === this.#entries) return;
    const before = this.#entries;
    this.#entries = entries;
    const same =
      before.length === entries.length && entries.every(({ id }, at) => id === before[at]?.id);
    if (!same) this.#indexes = new Map(entries.map(({ id }, at) => [id, at]));
  }

  /** Takes the width there is: what was measured at another one says nothing. */
  setWidth(width: number): void {
    if (width === this.#width || width === 0) return;
    this.#width = width;
    this.#heights.clear();
  }

  measured(id: string, height: number): void {
    this.#heights.set(id, height);
  }

  indexOf(id: string): number {
    return this.#indexes.get(id) ?? -1;
  }

  /** Says whether the messages seen at a place, with some around them, are those chosen. */
  covers(place: Place, height: number): boolean {
    const { from, to } = this.#around(place, height, height / 2);
    return from >= this.#from && to <= this.#to;
  }

  /** Chooses what is drawn at a place; `more` adds to what is chosen already. */
  choose(place: Place, height: number, more = false): void {
    const { from, to } = this.#around(place, height, Math.max(height, 400));
    const grown = more && this.#to >= this.#from;
    this.#from = grown ? Math.min(this.#from, from) : from;
    this.#to = grown ? Math.max(this.#to, to) : to;
  }

  /** Returns what is drawn, in order: what was chosen, and what must stay wherever it is. */
  slots(pinned: ReadonlySet<string>): readonly Slot[] {
    const slots: Slot[] = [];
    let room = 0;
    let first = '';
    const close = (): void => {
      if (room > 0) slots.push({ kind: 'room', id: `room ${first}`, height: room - gap });
      room = 0;
    };
    for (const [index, entry] of this.#entries.entries()) {
      if ((index >= this.#from && index <= this.#to) || pinned.has(entry.id)) {
        close();
        const height = entry.role === 'outline' ? this.#heightOf(entry) : 0;
        slots.push({ kind: 'message', id: entry.id, entry, height });
      } else {
        // A room keeps its name while messages leave it at either end of the conversation.
        if (room === 0) first = index === 0 ? 'before' : entry.id;
        room += this.#heightOf(entry) + gap;
      }
    }
    close();
    return slots;
  }

  /** Returns where a message begins in the transcript. */
  topOf(id: string): number {
    let top = 0;
    for (const entry of this.#entries) {
      if (entry.id === id) return top;
      top += this.#heightOf(entry) + gap;
    }
    return top;
  }

  #around(place: Place, height: number, margin: number): { from: number; to: number } {
    const last = this.#entries.length - 1;
    if (place === 'end') {
      let from = last + 1;
      for (let left = height + margin; from > 0 && left > 0; from -= 1)
        left -= this.#heightOf(this.#entries[from - 1]) + gap;
      return { from, to: last };
    }
    const top = 'top' in place ? place.top : this.topOf(place.messageId) - place.offset;
    let [from, to, at] = [last + 1, -1, 0];
    for (const [index, entry] of this.#entries.entries()) {
      const bottom = at + this.#heightOf(entry);
      if (bottom >= top - margin && from > index) from = index;
      if (at > top + height + margin) break;
      to = index;
      at = bottom + gap;
    }
    return { from: Math.min(from, last), to };
  }

  #heightOf(entry: MessageEntry | undefined): number {
    if (entry === undefined) return 0;
    return this.#heights.get(entry.id) ?? guess(entry, this.#width);
  }
}

function guess(entry: MessageEntry, width: number): number {
  const lines = Math.ceil((sizeOrNothing(entry) * characterWidth) / Math.max(100, width));
  return Math.min(highestGuess, 30 + Math.max(1, lines) * lineHeight);
}

/** What is drawn as an error, because it is not as it should be, is small. */
function sizeOrNothing(entry: MessageEntry): number {
  try {
    return sizeOf(entry);
  } catch {
    return 0;
  }
}

function sizeOf(entry: MessageEntry): number {
  switch (entry.role) {
    case 'outline':
      return entry.size;
    case 'user':
    case 'summary':
    case 'notice':
      return entry.text.length;
    case 'assistant':
      return entry.parts.reduce(
        (sum, part) => sum + (part.type === 'text' ? part.text.length : 40),
        0,
      );
  }
}
