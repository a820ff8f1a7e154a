import type { OnDisk } from './readFile';

/** What tells one state of a file from every other one, as far as the disk says. */
export interface FileVersion {
  /** Made of the file's number, size and times. */
  readonly text: string;
  /** When the file or its name was last changed, in milliseconds. */
  readonly changedAt: number;
  /** The disk keeps times of more than whole seconds. */
  readonly fine: boolean;
}

const largest = 1024 * 1024;
const limit = 16 * 1024 * 1024;

/**
 * Bytes read a moment ago. A tool reads a file, works out the edit, and the file is then read again before it is written:
 * the second time a look at it is enough, where the disk says that nothing changed. A file changed so shortly before it
 * was read that its times could not tell another change is never kept.
 */
export class RecentReads {
  readonly #kept = new Map<string, { readonly version: string; readonly onDisk: OnDisk }>();
  #bytes = 0;

  /** Returns what was read of this version of the file. */
  get(uri: string, version: FileVersion): OnDisk | undefined {
    const kept = this.#kept.get(uri);
    return kept?.version === version.text ? kept.onDisk : undefined;
  }

  /** Keeps what was read; `before` is when the file was looked at, before it was read. */
  keep(uri: string, version: FileVersion, onDisk: OnDisk, before: number): void {
    this.#forget(uri);
    const size = onDisk.bytes?.length ?? 0;
    const settled = before - version.changedAt >= (version.fine ? 100 : 2_500);
    if (!settled || size > largest) return;
    this.#kept.set(uri, { version: version.text, onDisk });
    this.#bytes += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= limit) break;
      this.#forget(oldest);
    }
  }

  #forget(uri: string): void {
    this.#bytes -= this.#kept.get(uri)?.onDisk.bytes?.length ?? 0;
    this.#kept.delete(uri);
  }
}
