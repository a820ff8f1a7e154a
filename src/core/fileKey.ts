import { URI, Utils } from 'vscode-uri';

/**
 * Names one file of a session: `f<n>/<relative path>` inside workspace folder `n`, else an absolute URI.
 * The relative path is decoded and `/`-separated, with no empty, `.` or `..` segment.
 */
export type FileKey = string;

/** A workspace folder as a session remembers it; `id` is `f<n>` and never reused within the session. */
export interface SessionFolder {
  readonly id: string;
  readonly uri: string;
  readonly name: string;
}

const inFolder = /^(f\d+)\/(.+)$/su;

/** Returns the key of a relative path in a folder, or undefined when the path leaves it or names the folder itself. */
export function folderKey(folder: SessionFolder, relativePath: string): FileKey | undefined {
  const segments: string[] = [];
  for (const segment of relativePath.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment.includes('\0')) {
      return undefined;
    } else {
      segments.push(segment);
    }
  }
  return segments.length === 0 ? undefined : `${folder.id}/${segments.join('/')}`;
}

/** Returns a URI without the `.`, `..` and empty segments by which one file would have several. */
function normal(uri: URI): URI {
  return uri.path.startsWith('/') ? Utils.joinPath(uri) : uri;
}

/** Returns the key of a path below a place that is named by its URI. */
export function keyBelow(folders: readonly SessionFolder[], place: string, path: string): FileKey {
  return uriKey(folders, Utils.joinPath(URI.parse(place, true), ...path.split('/')).toString());
}

/** Returns the key of a URI: relative to the innermost folder that holds it, else the URI itself. */
export function uriKey(folders: readonly SessionFolder[], uri: string): FileKey {
  const parsed = normal(URI.parse(uri, true));
  let best: { key: FileKey; depth: number } | undefined;
  for (const folder of folders) {
    const root = URI.parse(folder.uri, true);
    if (root.scheme !== parsed.scheme || root.authority !== parsed.authority) continue;
    const rootPath = root.path.endsWith('/') ? root.path : `${root.path}/`;
    if (!parsed.path.startsWith(rootPath)) continue;
    const key = folderKey(folder, parsed.path.slice(rootPath.length));
    if (key !== undefined && (best === undefined || rootPath.length > best.depth)) {
      best = { key, depth: rootPath.length };
    }
  }
  return best?.key ?? parsed.toString();
}

/** Returns the URI of a key, or undefined when the session has no such folder. */
export function keyUri(folders: readonly SessionFolder[], key: FileKey): string | undefined {
  const match = inFolder.exec(key);
  if (match === null) return key;
  const [, id, path] = match;
  const folder = folders.find((candidate) => candidate.id === id);
  if (folder === undefined || path === undefined) return undefined;
  return Utils.joinPath(URI.parse(folder.uri, true), ...path.split('/')).toString();
}

/** Returns the relative path of a key inside a folder, or undefined for a key outside every folder. */
export function keyPath(
  key: FileKey,
): { readonly folderId: string; readonly path: string } | undefined {
  const [, folderId, path] = inFolder.exec(key) ?? [];
  return folderId === undefined || path === undefined ? undefined : { folderId, path };
}

/** Returns what people see for a key: the relative path, with the folder's name where there are several. */
export function keyLabel(folders: readonly SessionFolder[], key: FileKey): string {
  const inside = keyPath(key);
  if (inside === undefined) return outsideLabel(folders, URI.parse(key, true));
  if (folders.length < 2) return inside.path;
  const folder = folders.find((candidate) => candidate.id === inside.folderId);
  return `${folder?.name ?? inside.folderId}/${inside.path}`;
}

/** A path says which file it is only where the folders are; anything else is told whole. */
function outsideLabel(folders: readonly SessionFolder[], uri: URI): string {
  const places = folders.length === 0 ? ['file:///'] : folders.map((folder) => folder.uri);
  const here = places
    .map((place) => URI.parse(place, true))
    .some(({ scheme, authority }) => scheme === uri.scheme && authority === uri.authority);
  return here ? uri.path : uri.toString(true);
}

/** Returns the key of the folder that holds a file, or undefined at a workspace folder's top or outside. */
export function parentKey(key: FileKey): FileKey | undefined {
  if (keyPath(key) === undefined) return undefined;
  const cut = key.lastIndexOf('/');
  const parent = key.slice(0, cut);
  return parent.includes('/') ? parent : undefined;
}
