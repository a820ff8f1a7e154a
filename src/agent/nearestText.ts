const maxLines = 20_000;
const maxCompared = 12;
const maxShown = 600;
const minScore = 0.4;

function pairs(text: string): Map<string, number> {
  const found = new Map<string, number>();
  const compact = text.trim().slice(0, 200);
  for (let i = 0; i < compact.length - 1; i++) {
    const pair = compact.slice(i, i + 2);
    found.set(pair, (found.get(pair) ?? 0) + 1);
  }
  return found;
}

function size(found: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of found.values()) sum += count;
  return sum;
}

/** Dice's coefficient over pairs of characters: 1 for equal lines, 0 for nothing in common. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const total = size(a) + size(b);
  if (total === 0) return 0;
  let common = 0;
  for (const [pair, count] of a) common += Math.min(count, b.get(pair) ?? 0);
  return (2 * common) / total;
}

/**
 * Finds the lines most like the wanted ones, so that a model that remembered a file wrongly sees what is there.
 * Both texts have LF line ends. Bounded: only so many lines are looked at.
 */
export function nearestText(
  text: string,
  wanted: string,
): { readonly line: number; readonly text: string } | undefined {
  const lines = text.split('\n', maxLines);
  const allWanted = wanted.split('\n');
  const skipped = allWanted.findIndex((line) => line.trim() !== '');
  if (skipped === -1) return undefined;
  const wantedLines = allWanted.slice(skipped, skipped + maxCompared);
  while (wantedLines.at(-1)?.trim() === '') wantedLines.pop();
  const wantedPairs = wantedLines.map(pairs);
  const linePairs = lines.map(pairs);
  let best: { at: number; score: number } | undefined;
  for (let at = 0; at < lines.length; at++) {
    let score = 0;
    for (const [offset, expected] of wantedPairs.entries()) {
      const there = linePairs[at + offset];
      if (there === undefined) continue;
      const same = lines[at + offset]?.trim() === wantedLines[offset]?.trim();
      score += same ? 1 : likeness(expected, there);
    }
    score /= wantedPairs.length;
    if (best === undefined || score > best.score) best = { at, score };
  }
  if (best === undefined || best.score < minScore) return undefined;
  const shown = lines.slice(best.at, best.at + wantedLines.length).join('\n');
  return {
    line: best.at + 1,
    text: shown.length > maxShown ? `${shown.slice(0, maxShown)}…` : shown,
  };
}
