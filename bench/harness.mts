// What every benchmark shares: medians, and one JSON object as the only output.
import { cpus, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';

export interface Ratio {
  ours: number;
  theirs: number;
  /** ours / theirs */
  ratio: number;
  /** What `ratio` may be at most. */
  limit: number;
}

/** Compares a measure of ours with theirs, or with a bound that is set as theirs, to three significant digits. */
export function ratio(ours: number, theirs: number, limit: number): Ratio {
  return { ours: round(ours), theirs: round(theirs), ratio: round(ours / theirs), limit };
}

/** Returns the median time of `runs` calls in milliseconds; `before` is called before each and not counted. */
export async function medianTime(
  runs: number,
  act: () => unknown,
  before?: () => unknown,
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < runs; index += 1) {
    await before?.();
    const begin = performance.now();
    await act();
    times.push(performance.now() - begin);
  }
  return median(times);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [low = NaN, high = NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}

/** Prints the suite's result and fails the run when a ratio is over its limit. */
export function print(suite: string, ratios: Readonly<Record<string, Ratio>>): void {
  const machine = `${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  console.log(JSON.stringify({ suite, machine, ratios }));
  if (Object.values(ratios).some((one) => one.ratio > one.limit)) process.exitCode = 1;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
