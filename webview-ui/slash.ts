import type { ViewString } from '../src/protocol/strings';

export interface SlashItem {
  readonly word: string;
  readonly help: ViewString;
  /** Goes on with a number, so a space is put behind it. */
  readonly takesNumber: boolean;
}

/** The commands offered, in the order help lists them. */
export const slashItems: readonly SlashItem[] = [
  { word: 'rewind', help: 'slashRewind', takesNumber: true },
  { word: 'fork', help: 'slashFork', takesNumber: true },
  { word: 'regen', help: 'slashRegen', takesNumber: false },
  { word: 'undo', help: 'slashUndo', takesNumber: false },
  { word: 'redo', help: 'slashRedo', takesNumber: false },
  { word: 'new', help: 'slashNew', takesNumber: false },
  { word: 'help', help: 'slashHelp', takesNumber: false },
];

/**
 * Returns what completes a composer's text. Only a text that is nothing but `/` and letters is on its way to a command:
 * a path such as `/etc/hosts` is text and is left alone.
 */
export function completions(text: string): readonly SlashItem[] {
  const typed = /^\/(\p{L}*)$/u.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  const found = slashItems.filter((item) => item.word.startsWith(typed));
  // A whole word has nothing left to complete, and Enter must send it.
  return found.length === 1 && found[0]?.word === typed ? [] : found;
}

/** Says whether a text is a command and no message. */
export function isCommand(text: string): boolean {
  return /^\/[\p{L}-]+(?:\s|$)/u.test(text.trim());
}

/** Returns the composer's text with a command taken. */
export function completed(item: SlashItem): string {
  return `/${item.word}${item.takesNumber ? ' ' : ''}`;
}
