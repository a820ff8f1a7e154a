/** Puts a text for people into their language; `{0}` names the first argument. The host hands in `l10n.t`. */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** Fills in the arguments and leaves the text in English. */
export const untranslated: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/gu, (whole, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? whole : String(value);
  });
