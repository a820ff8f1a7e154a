import { keyLabel, keyPath, uriKey } from '../core/fileKey';
import type { Attachment } from '../core/node';
import type { OpenSession } from './openSession';

/** An attachment that names its file. */
export type NamedFile = Extract<Attachment, { readonly uri: string }>;

/** What a message names by URI, read when it is sent; the bytes of a folder are the names of what is in it. */
export interface AttachedFile {
  readonly kind: 'file' | 'folder';
  readonly label: string;
  readonly bytes: Uint8Array;
}

/** What reading one came to: refused by a person or a rule, or gone. */
export type AttachedResult = AttachedFile | 'refused' | undefined;

export interface AttachedFilesPorts {
  /** Reads it; undefined when it is gone. Bounded. */
  readonly read: (uri: string) => Promise<AttachedFile | undefined>;
  /** Says whether a path inside a folder leads out of it through a link. */
  readonly leaves: (uri: string) => Promise<boolean>;
}

/**
 * Reads what messages name by URI, after leave for what lies outside every folder of the session. The answer for one
 * attachment holds while the window is open: each turn sends it again.
 */
export class AttachedFiles {
  readonly #answers = new WeakMap<NamedFile, boolean>();

  constructor(private readonly ports: AttachedFilesPorts) {}

  /** Returns what reads the attachments of one turn. */
  reader(
    session: OpenSession,
    ask: (detail: string) => Promise<boolean>,
  ): (named: NamedFile) => Promise<AttachedResult> {
    return async (named) => {
      if (!(await this.#allowed(session, named, ask))) return 'refused';
      return this.ports.read(named.uri);
    };
  }

  async #allowed(
    { info: { folders } }: OpenSession,
    named: NamedFile,
    ask: (detail: string) => Promise<boolean>,
  ): Promise<boolean> {
    const key = uriKey(folders, named.uri);
    const isFolder = folders.some(({ uri }) => uri === key || `${uri}/` === key);
    const inside = isFolder || keyPath(key) !== undefined;
    if (inside && !(await this.ports.leaves(named.uri))) return true;
    const known = this.#answers.get(named);
    if (known !== undefined) return known;
    const allowed = await ask(`read ${keyLabel(folders, key)}`);
    this.#answers.set(named, allowed);
    return allowed;
  }
}
