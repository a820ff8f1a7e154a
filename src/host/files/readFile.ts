import type * as vscode from 'vscode';
import { sameBytes } from '../../core/bytes';
import { absent } from '../../core/changes';
import type { FileState } from '../../core/changes';
import type { CurrentFile, FileSystem, Runtime } from '../../engine/ports';
import { encodeText } from './encodings';
import { isNothing } from './fsErrors';
import { openEditors } from './openEditors';
import type { NodePowers } from './powers';
import type { FileVersion, RecentReads } from './recentReads';

/** What every session's files share. */
export interface FilesPorts {
  readonly files: FileSystem;
  readonly runtime: Runtime;
  /** Present where the host has the files on its own disk. */
  readonly powers?: NodePowers | undefined;
  readonly recent?: RecentReads | undefined;
  /** Told the URI of each file once it was changed. */
  readonly wrote?: ((uri: string) => void) | undefined;
}

/** What is on disk at one place. */
export interface OnDisk {
  readonly state: FileState;
  readonly bytes?: Uint8Array;
  /** Where the name is a link: where it points. */
  readonly link?: string;
}

/** Larger files cross the border to the extension host at the cost of everything else in it. */
const maxBytes = 256 * 1024 * 1024;

/** Reads what is on disk. Only a missing file is absent; every other failure is thrown. */
export async function readDisk(ports: FilesPorts, uri: string): Promise<OnDisk> {
  const { files, runtime, powers } = ports;
  try {
    const look = powers?.handles(uri) ? await lookWith(powers, uri) : await lookFrom(files, uri);
    const link = look.link === undefined ? {} : { link: look.link };
    if (look.state !== undefined) return { state: look.state, ...link };
    if (look.size > maxBytes) {
      return { state: { kind: 'uncovered', reason: 'too large', size: look.size }, ...link };
    }
    const { version } = look;
    const known = version && ports.recent?.get(uri, version);
    if (known !== undefined) return known;
    const before = runtime.now();
    const bytes = await files.read(uri);
    const onDisk = { state: await fileState(runtime, bytes, look.mode), bytes, ...link };
    if (version !== undefined) ports.recent?.keep(uri, version, onDisk, before);
    return onDisk;
  } catch (error) {
    if (isNothing(error)) return { state: absent };
    throw error;
  }
}

/** Reads a file as people have it: unsaved text of an editor counts as its content. */
export async function readCurrent(ports: FilesPorts, uri: vscode.Uri): Promise<CurrentFile> {
  const onDisk = await readDisk(ports, uri.toString());
  const disk = {
    disk: onDisk.state,
    ...(onDisk.bytes === undefined ? {} : { diskBytes: onDisk.bytes }),
    ...(onDisk.link === undefined ? {} : { link: onDisk.link }),
  };
  const { document, unreadable } = openEditors(uri);
  if (unreadable !== undefined) {
    return { state: { kind: 'uncovered', reason: 'unsaved notebook' }, unsaved: true, ...disk };
  }
  if (document?.isDirty === true) {
    const bytes = await encodeText(document.getText(), document.encoding);
    if (!sameBytes(bytes, onDisk.bytes)) {
      const mode = onDisk.state.kind === 'file' ? onDisk.state.mode : undefined;
      return { state: await fileState(ports.runtime, bytes, mode), bytes, unsaved: true, ...disk };
    }
  }
  return {
    state: onDisk.state,
    ...(onDisk.bytes === undefined ? {} : { bytes: onDisk.bytes }),
    unsaved: false,
    ...disk,
  };
}

interface Looked {
  /** Absent for a file, whose state needs its bytes. */
  readonly state?: FileState;
  readonly size: number;
  readonly mode?: number | undefined;
  readonly link?: string | undefined;
  readonly version?: FileVersion | undefined;
}

async function lookWith(powers: NodePowers, uri: string): Promise<Looked> {
  const look = await powers.look(uri);
  if (look === undefined) return { state: absent, size: 0 };
  const link = look.linkTarget;
  switch (look.kind) {
    case 'file':
      return { size: look.size, mode: look.mode, version: look.version, link };
    case 'folder':
      return { state: { kind: 'folder' }, size: 0, link };
    case 'nothing':
      return { state: { kind: 'symlink', target: link ?? '' }, size: 0, link };
    case 'other':
      return { state: { kind: 'uncovered', reason: 'special' }, size: 0, link };
  }
}

async function lookFrom(files: FileSystem, uri: string): Promise<Looked> {
  const stat = await files.stat(uri);
  switch (stat.kind) {
    case 'file':
      return { size: stat.size };
    case 'folder':
      return { state: { kind: 'folder' }, size: 0 };
    case 'symlink':
    case 'other':
      return { state: { kind: 'uncovered', reason: 'special' }, size: 0 };
  }
}

async function fileState(
  runtime: Runtime,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<FileState> {
  return {
    kind: 'file',
    hash: await runtime.sha256(bytes),
    size: bytes.length,
    ...(mode === undefined ? {} : { mode }),
  };
}
