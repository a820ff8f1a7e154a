import { viewStrings, type ViewString } from '../src/protocol/strings';

let table: Readonly<Record<string, string>> = viewStrings;

/** Takes the translated texts that came with the answer to `ready`. */
export function setStrings(translated: Readonly<Record<string, string>>): void {
  table = translated;
}

/** Returns the text of a key with its places filled; English where the host sent none. */
export function t(key: ViewString, ...values: readonly (string | number)[]): string {
  const text = table[key] ?? viewStrings[key];
  return text.replace(/\{(\d+)\}/gu, (place, index: string) =>
    String(values[Number(index)] ?? place),
  );
}

type Counted = {
  [K in ViewString]: K extends `${infer Base}Many` ? Base : never;
}[ViewString];

/** Returns the text for a number of things. */
export function tn(key: Counted, count: number): string {
  return count === 1 ? t(`${key}One`) : t(`${key}Many`, count);
}
