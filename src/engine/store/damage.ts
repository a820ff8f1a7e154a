import type { FileSystem, Log } from '../ports';
import type { Problem } from './envelope';
import { child, type StorePaths } from './names';

/** Something stored that was not believed. What lies outside it has loaded. */
export interface DamageReport {
  /** The file's name under the session's folder or the root. */
  readonly file: string;
  readonly problem: Problem;
  /** The line of a segment, one-based. */
  readonly line?: number;
  /** Where a copy of the file is kept, under the store's root. */
  readonly kept?: string;
  /** True when everything that was in it came from a second copy. */
  readonly recovered?: true;
}

/** What every part of the store works with. */
export interface StoreContext {
  readonly files: FileSystem;
  readonly log: Log;
  readonly paths: StorePaths;
  /** Names this process among all that write to the store. */
  readonly writer: string;
  readonly now: () => number;
  readonly newId: () => string;
  /** Throws when nothing may be written. */
  readonly assertWritable: () => Promise<void>;
  /** Says whether nothing may be written, once that is known. */
  readonly readOnly?: () => boolean;
}

/** Keeps a copy of damaged bytes once, under a name that says whose they are, and returns that name; none where nothing may be written. */
export async function keepAside(
  context: StoreContext,
  owner: string,
  name: string,
  bytes: Uint8Array,
): Promise<string | undefined> {
  if (context.readOnly?.() === true) return undefined;
  const kept = `${owner}-${name}`;
  const uri = child(context.paths.damaged, kept);
  const there = await context.files.stat(uri).catch(() => undefined);
  // A second damage of the same file gets a copy of its own; the same one is not copied at every start.
  const unique =
    there === undefined || there.size === bytes.length ? kept : `${context.newId()}-${kept}`;
  if (there?.size !== bytes.length)
    await context.files.write(child(context.paths.damaged, unique), bytes);
  return `damaged/${unique}`;
}
