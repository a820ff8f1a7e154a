import * as vscode from 'vscode';
import type { BlobReader } from '../engine/ports';
import { blobScheme } from './contributions';

/** Contents held for a diff at most; the oldest go. */
const heldLimit = 200;

/**
 * Recorded and planned contents as read-only files, so that VS Code's own diff editor shows them, binary ones too. Bytes
 * are found by hash: among those held for an open question, else in the store.
 */
export class BlobFiles implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #held = new Map<string, Uint8Array>();
  readonly onDidChangeFile = this.#changed.event;

  constructor(private readonly blobs: () => Promise<BlobReader>) {}

  /** Names stored bytes, or none at all, so that a tab shows the file's own name. */
  uri(path: string, hash: string | undefined): vscode.Uri {
    return vscode.Uri.from({ scheme: blobScheme, path: `/${path}`, query: hash ?? '' });
  }

  /** Keeps bytes that are not stored yet within reach and names them. */
  hold(path: string, hash: string, bytes: Uint8Array): vscode.Uri {
    this.#held.delete(hash);
    this.#held.set(hash, bytes);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= heldLimit) break;
      this.#held.delete(oldest);
    }
    return this.uri(path, hash);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (uri.query === '') return new Uint8Array();
    const bytes = this.#held.get(uri.query) ?? (await (await this.blobs()).get(uri.query));
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length } = await this.readFile(uri);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: length,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  /** What is named by its hash never changes. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
