import type { SessionCard } from './store/documents';

/** A workspace folder that is no longer there, and the sessions that speak of it. */
export interface GoneFolder {
  readonly uri: string;
  readonly name: string;
  readonly sessions: readonly SessionCard[];
}

/** Finds the folders of sessions that are gone, those with the newest sessions first. */
export async function goneFolders(
  cards: readonly SessionCard[],
  here: readonly string[],
  isGone: (uri: string) => Promise<boolean>,
): Promise<GoneFolder[]> {
  const found = new Map<string, { name: string; sessions: SessionCard[] }>();
  for (const card of [...cards].sort((a, b) => b.updatedAt - a.updatedAt)) {
    for (const { uri, name } of card.folders) {
      if (here.includes(uri)) continue;
      const known = found.get(uri) ?? { name, sessions: [] };
      known.sessions.push(card);
      found.set(uri, known);
    }
  }
  const looked = await Promise.all(
    [...found].map(async ([uri, rest]) => ((await isGone(uri)) ? [{ uri, ...rest }] : [])),
  );
  return looked.flat();
}
