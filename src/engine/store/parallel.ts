/** How many file system calls run at once: a slow provider answers them together, and memory stays bounded. */
export const width = 64;

/** Maps items with at most {@link width} calls at once; results keep the order of the items. */
export async function mapBounded<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  limit = width,
): Promise<R[]> {
  const results = new Map<number, R>();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const index = next++;
      const item = items[index];
      if (index >= items.length || item === undefined) return;
      results.set(index, await work(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
}
