/**
 * The page's texts in English by key. The host translates the values and sends the table with the answer to `ready`;
 * `{0}` and `{1}` are places for values.
 */
export const viewStrings = {
  placeholder: 'Ask, or type / for commands',
  send: 'Send',
  stop: 'Stop',
} as const satisfies Record<string, string>;

export type ViewString = keyof typeof viewStrings;
