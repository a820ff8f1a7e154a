import * as vscode from 'vscode';
import { keyPath, keyUri } from '../../core/fileKey';
import type { FileKey, SessionFolder } from '../../core/fileKey';
import { Locks } from '../../engine/locks';
import { FsError } from '../../engine/ports';
import type { CurrentFile, WorkspaceFiles, WriteOptions } from '../../engine/ports';
import { DocumentWriter } from './documentWriter';
import { openEditors } from './openEditors';
import { readCurrent, readDisk } from './readFile';
import type { FilesPorts } from './readFile';
import { RecentReads } from './recentReads';
import { refusalOfFile, refusalOfLink, refusalOfPlace, refusalOfRealPlace } from './refusals';

/** What the sessions of one window share: two of them never write one file at the same time. */
export class FilesHub {
  readonly writer: DocumentWriter;
  readonly locks = new Locks();

  readonly ports: FilesPorts;

  constructor(ports: FilesPorts) {
    this.ports = { ...ports, recent: new RecentReads() };
    this.writer = new DocumentWriter(this.ports);
  }
}

/** The {@link WorkspaceFiles} of one session. */
export class SessionFiles implements WorkspaceFiles {
  readonly #hub: FilesHub;
  readonly #folders: () => readonly SessionFolder[];

  /** Folders are asked for at each call, since a session can be given a new place. */
  constructor(hub: FilesHub, folders: () => readonly SessionFolder[]) {
    this.#hub = hub;
    this.#folders = folders;
  }

  read(file: FileKey): Promise<CurrentFile> {
    return this.#alone([file], (uri) => this.#readBack(uri));
  }

  write(file: FileKey, bytes: Uint8Array, options: WriteOptions): Promise<CurrentFile> {
    return this.#change([file], async (uri) => {
      guard(uri);
      const { document, hasTab } = openEditors(uri);
      if (document?.isDirty === true) {
        await this.#hub.writer.writeDirty(document, bytes, options.save);
      } else if (document !== undefined && hasTab) {
        await this.#hub.writer.writeClean(document, bytes);
      } else {
        await this.#hub.ports.files.write(uri.toString(), bytes);
      }
      return this.#inMode(uri, options.mode);
    });
  }

  /** Reads a file back, in the mode wanted: most have it, and a change of none would wake every watcher. */
  async #inMode(uri: vscode.Uri, mode: number | undefined): Promise<CurrentFile> {
    const { powers } = this.#hub.ports;
    const written = await this.#readBack(uri);
    const has = written.disk.kind === 'file' ? written.disk.mode : undefined;
    if (mode === undefined || powers === undefined || has === mode) return written;
    await powers.modes.set(uri.toString(), mode);
    return this.#readBack(uri);
  }

  remove(file: FileKey): Promise<CurrentFile> {
    return this.#change([file], async (uri) => {
      guard(uri);
      const present = await readDisk(this.#hub.ports, uri.toString());
      if (present.state.kind === 'folder' && present.link !== undefined) {
        await this.#hub.ports.powers?.removeLink(uri.toString());
        return this.#readBack(uri);
      }
      if (present.state.kind === 'folder') {
        throw new FsError('is a directory', `${uri.toString()}: a folder is not removed as a file`);
      }
      const { document, hasTab } = openEditors(uri);
      if (hasTab || document?.isDirty === true) {
        const edit = new vscode.WorkspaceEdit();
        edit.deleteFile(uri, { ignoreIfNotExists: true, recursive: false });
        await vscode.workspace.applyEdit(edit);
      }
      const left = await readDisk(this.#hub.ports, uri.toString());
      if (left.state.kind !== 'absent') await this.#hub.ports.files.delete(uri.toString(), false);
      return this.#readBack(uri);
    });
  }

  rename(from: FileKey, to: FileKey): Promise<CurrentFile> {
    return this.#change([from, to], async (source, target) => {
      guard(source);
      guard(target);
      const { files } = this.#hub.ports;
      // On a disk that holds both spellings for one file, the target of a change of case is the source itself.
      const changesCase = source.path.toLowerCase() === target.path.toLowerCase();
      const there = await readDisk(this.#hub.ports, target.toString());
      if (
        there.state.kind !== 'absent' &&
        !(changesCase && (await this.#isOneFile(source, target)))
      ) {
        throw new FsError('exists', `${target.toString()}: there is a file of this name`);
      }
      const { document, hasTab } = openEditors(source);
      if (hasTab || document?.isDirty === true) {
        const edit = new vscode.WorkspaceEdit();
        edit.renameFile(source, target, { overwrite: false });
        if (!(await vscode.workspace.applyEdit(edit))) {
          throw new FsError('unavailable', `${source.toString()}: VS Code did not rename the file`);
        }
      } else {
        await files.rename(source.toString(), target.toString(), false);
      }
      return this.#readBack(target);
    });
  }

  saveUnsaved(file: FileKey): Promise<CurrentFile> {
    return this.#change([file], async (uri) => {
      const notebook = vscode.workspace.notebookDocuments.find(
        (one) => one.isDirty && one.uri.toString() === uri.toString(),
      );
      await (notebook === undefined ? vscode.workspace.save(uri) : notebook.save());
      return this.#readBack(uri);
    });
  }

  async makeFolder(folder: FileKey): Promise<void> {
    await this.#change([folder], async (uri) => {
      guard(uri);
      await this.#hub.ports.files.makeFolder(uri.toString());
    });
  }

  removeEmptyFolder(folder: FileKey): Promise<boolean> {
    return this.#change([folder], async (uri) => {
      guard(uri);
      const { files } = this.#hub.ports;
      const { state } = await readDisk(this.#hub.ports, uri.toString());
      if (state.kind !== 'folder' || (await files.list(uri.toString())).length > 0) return false;
      // Not recursive: what somebody puts there in this moment makes the call fail instead of going with it.
      await files.delete(uri.toString(), false);
      return true;
    });
  }

  async refusal(file: FileKey, itself = false): Promise<string | undefined> {
    const name = keyUri(this.#folders(), file);
    if (name === undefined) return vscode.l10n.t('Its folder is not part of this session.');
    const uri = vscode.Uri.parse(name, true);
    const { files, powers } = this.#hub.ports;
    if (itself && powers?.handles(name) === true) {
      // Where a link leads has no say in whether the link may be made or go.
      return refusalOfPlace(uri) ?? (await refusalOfLink(files, powers, uri));
    }
    const ofPlace = refusalOfPlace(uri);
    if (ofPlace !== undefined) return ofPlace;
    const [ofFile, ofRealPlace] = await Promise.all([
      refusalOfFile(files, powers, uri),
      keyPath(file) === undefined ? undefined : refusalOfRealPlace(files, powers, uri),
    ]);
    return ofFile ?? ofRealPlace;
  }

  /** Makes a symbolic link where nothing is; only where the host has the files on its own disk. */
  makeLink(file: FileKey, target: string): Promise<CurrentFile> {
    return this.#change([file], async (uri) => {
      guard(uri);
      const { powers } = this.#hub.ports;
      if (powers?.handles(uri.toString()) !== true) {
        throw new FsError('unavailable', `${uri.toString()}: links cannot be made here`);
      }
      await powers.makeLink(uri.toString(), target);
      return this.#readBack(uri);
    });
  }

  #readBack(uri: vscode.Uri): Promise<CurrentFile> {
    return readCurrent(this.#hub.ports, uri);
  }

  /** Two spellings name one file when the folder lists only one of them. */
  async #isOneFile(source: vscode.Uri, target: vscode.Uri): Promise<boolean> {
    const parent = vscode.Uri.joinPath(target, '..').toString();
    const names = (await this.#hub.ports.files.list(parent)).map(([name]) => name);
    const base = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1);
    return names.includes(base(source)) && !names.includes(base(target));
  }

  /** Changes files, and tells who watches also of a change that failed half way. */
  #change<T>(
    keys: readonly FileKey[],
    task: (first: vscode.Uri, second: vscode.Uri) => Promise<T>,
  ): Promise<T> {
    return this.#alone(keys, async (first, second) => {
      try {
        return await task(first, second);
      } finally {
        for (const uri of new Set([first, second])) this.#hub.ports.wrote?.(uri.toString());
      }
    });
  }

  async #alone<T>(
    keys: readonly FileKey[],
    task: (first: vscode.Uri, second: vscode.Uri) => Promise<T>,
  ): Promise<T> {
    const uris = keys.map((key) => {
      const name = keyUri(this.#folders(), key);
      if (name === undefined) {
        throw new FsError('unavailable', `${key}: its folder is not part of this session`);
      }
      return vscode.Uri.parse(name, true);
    });
    const [first, second] = uris;
    if (first === undefined) throw new FsError('unknown', 'No file was named');
    const names = uris.map((uri) => uri.toString());
    return this.#hub.locks.runAll(names, () => task(first, second ?? first));
  }
}

/** The last look before a write; whether a link may be followed out of the workspace is for the caller to ask. */
function guard(uri: vscode.Uri): void {
  const reason = refusalOfPlace(uri);
  if (reason !== undefined) throw new FsError('no permission', `${uri.toString()}: ${reason}`);
}
