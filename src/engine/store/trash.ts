import type { StoreContext } from './damage';
import { parseTombstone } from './documents';
import { unwrap, wrap } from './envelope';
import { deleteIfThere, isSafeId, listFiles, readIfThere } from './names';
import { isMissing } from './storageError';

const keptFor = 7 * 24 * 60 * 60 * 1000;

/** Deleted sessions: a tombstone each, apart from the session, so that no card and no other window brings it back. */
export class Trash {
  constructor(private readonly context: StoreContext) {}

  async put(id: string): Promise<void> {
    const { files, paths, writer, now } = this.context;
    await this.context.assertWritable();
    await files.write(paths.tombstone(id), wrap({ seq: 1, writer }, JSON.stringify({ at: now() })));
  }

  async takeOut(id: string): Promise<void> {
    await this.context.assertWritable();
    await deleteIfThere(this.context.files, this.context.paths.tombstone(id));
  }

  async holds(id: string): Promise<boolean> {
    try {
      await this.context.files.stat(this.context.paths.tombstone(id));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** Returns the ids of all deleted sessions. */
  async ids(): Promise<Set<string>> {
    const names = await listFiles(this.context.files, this.context.paths.deleted);
    return new Set(names.map((name) => name.replace(/\.json$/u, '')));
  }

  /** Removes sessions deleted long enough ago, backups too. One that another window went on with is taken out instead. */
  async empty(updatedAt: (id: string) => Promise<number>): Promise<string[]> {
    await this.context.assertWritable();
    const { files, paths, now } = this.context;
    const removed: string[] = [];
    for (const id of await this.ids()) {
      const at = isSafeId(id) ? await this.deletedAt(id) : undefined;
      if (at === undefined || now() - at < keptFor) continue;
      if ((await updatedAt(id)) <= at) {
        await this.remove(id);
        removed.push(id);
      } else {
        await deleteIfThere(files, paths.tombstone(id));
      }
    }
    return removed;
  }

  /** Removes a deleted session for good, backups too. */
  async remove(id: string): Promise<void> {
    const { files, paths } = this.context;
    // The tombstone goes last: a session half removed must not come back to the list.
    await deleteIfThere(files, paths.session(id), true);
    await deleteIfThere(files, paths.backups(id), true);
    await deleteIfThere(files, paths.tombstone(id));
  }

  /** Returns when a session was deleted; a damaged tombstone is as old as its file. */
  async deletedAt(id: string): Promise<number | undefined> {
    const uri = this.context.paths.tombstone(id);
    const bytes = await readIfThere(this.context.files, uri);
    if (bytes === undefined) return undefined;
    const opened = unwrap(bytes);
    const at = opened.ok ? parseTombstone(opened.value)?.at : undefined;
    return at ?? (await this.context.files.stat(uri)).mtime;
  }
}
