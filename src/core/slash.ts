/** What a line that begins with `/` asks for, or the text to send when it is no command. */
export type SlashCommand =
  | { readonly kind: 'text' }
  | { readonly kind: 'rewind'; readonly n?: number }
  | { readonly kind: 'fork'; readonly n: number }
  | { readonly kind: 'regen' | 'undo' | 'redo' | 'new' | 'help' }
  | { readonly kind: 'unknown'; readonly word: string }
  | { readonly kind: 'bad argument'; readonly word: string; readonly argument: string };

/** The words understood, in the order help lists them. */
export const slashWords = ['rewind', 'fork', 'regen', 'undo', 'redo', 'new', 'help'] as const;

type SlashWord = (typeof slashWords)[number];

/**
 * Parses what was typed into the composer. Only a first word made of letters is a command: a path such as
 * `/etc/hosts` is text. A number must be a whole one in decimal digits; its range is for the caller to check.
 */
export function parseSlash(input: string): SlashCommand {
  const match = /^\/([\p{L}-]+)(?:\s+(.*))?$/su.exec(input.trim());
  const word = match?.[1]?.toLowerCase();
  if (word === undefined) return { kind: 'text' };
  if (!isSlashWord(word)) return { kind: 'unknown', word };
  const argument = match?.[2]?.trim() ?? '';
  if (word !== 'rewind' && word !== 'fork') {
    return argument === '' ? { kind: word } : { kind: 'bad argument', word, argument };
  }
  if (argument === '') return word === 'rewind' ? { kind: 'rewind' } : { kind: 'fork', n: 0 };
  if (!/^\d{1,9}$/u.test(argument)) return { kind: 'bad argument', word, argument };
  return { kind: word, n: Number(argument) };
}

function isSlashWord(word: string): word is SlashWord {
  return slashWords.some((known) => known === word);
}
