import type { FileVersion } from './recentReads';

/** What a path is, seen without following its last link, and what the link leads to. */
export interface Look {
  readonly kind: 'file' | 'folder' | 'other' | 'nothing';
  /** The target's text when the path is a symbolic link; `kind` is then what it leads to. */
  readonly linkTarget?: string;
  readonly size: number;
  /** Of the file a link leads to. */
  readonly version?: FileVersion;
  /** Permission bits of the file a link leads to; absent where the system has none. */
  readonly mode?: number;
}

/**
 * What only a host with the files on its own disk can do. URIs of other schemes are answered with undefined.
 * A failure other than "there is no such file" throws.
 */
export interface NodePowers {
  /** Undefined when nothing is there. */
  look(uri: string): Promise<Look | undefined>;
  handles(uri: string): boolean;
  readonly modes: {
    get(uri: string): Promise<number | undefined>;
    set(uri: string, mode: number): Promise<void>;
  };
  /** The URI of the place a path really is, its not yet existing end kept; links in it followed. */
  realPath(uri: string): Promise<string | undefined>;
  readLink(uri: string): Promise<string | undefined>;
  makeLink(uri: string, target: string): Promise<void>;
  /** Removes a link, not what it leads to. */
  removeLink(uri: string): Promise<void>;
  /**
   * Runs `act` while a file looks older than anything that was read of it: an editor whose unsaved text began from other
   * bytes then saves over them without a question. Where `act` wrote nothing the file gets its time back.
   */
  whileOld(uri: string, act: () => Promise<void>): Promise<void>;
}
