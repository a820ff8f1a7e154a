import type { Translate } from '../engine/ports';

/** Fills in the arguments and leaves the text in English. */
export const untranslated: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/gu, (whole, index: string) => {
    const value = args[Number(index)];
    return value === undefined ? whole : String(value);
  });
