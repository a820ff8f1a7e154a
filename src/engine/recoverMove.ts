import { heldBeside, sameContent, type ChangeLink, type Link } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import type { Place } from '../core/ids';
import type { FileResult, Move } from '../core/journal';
import { errorText } from './errors';
import { differs, linksLeft } from './moveWriter';
import type { OpenSession } from './openSession';
import type { BlobStore, CurrentFile, WorkspaceFiles } from './ports';
import { putState } from './putState';
import { isTorn } from './tornWrites';

/**
 * Finishes a move that was cut off: touches only files whose bytes are still exactly those it was to replace, or a torn
 * beginning of its result; anything else is somebody's work since, is left, named, and stands apart.
 */
export async function recoverMove(
  session: OpenSession,
  files: WorkspaceFiles,
  blobs: BlobStore,
  move: Move,
): Promise<Move> {
  const done: FileResult[] = [];
  const stayed = new Map<FileKey, Place>();
  const links: Link[] = [];
  const placeBefore = (file: FileKey): Place => move.before.apart[file] ?? move.before.filesHead;
  for (const link of move.links) {
    const then = move.links.find(
      (later): later is ChangeLink =>
        link.type === 'rename' && later.type === 'change' && later.file === link.to,
    );
    const outcome = await recoverLink(files, blobs, link, then).catch((error: unknown) =>
      errorText(error),
    );
    const file =
      link.type === 'rename' ? link.to : link.type === 'folder' ? link.folder : link.file;
    if (outcome === undefined) {
      links.push(link);
      done.push({ file, outcome: link.type === 'rename' ? 'moved' : 'restored' });
    } else {
      stayed.set(file, placeBefore(file));
      if (link.type === 'rename') stayed.set(link.from, placeBefore(link.from));
      if (link.type === 'change')
        links.push(...(await linksLeft(files, blobs, link)).filter(({ torn }) => torn === true));
      done.push({ file, outcome: 'failed', reason: outcome });
    }
  }
  const apart = Object.fromEntries(
    Object.entries(move.after.apart).filter(([file]) => !stayed.has(file)),
  );
  for (const [file, place] of stayed) if (place !== move.after.filesHead) apart[file] = place;
  const settled: Move = { ...move, after: { ...move.after, apart }, links, results: done };
  await session.setHead([{ type: 'move', move: settled }]);
  await session.putDraft(move.draftAfter);
  return settled;
}

/** Returns nothing when the link's result is there, else why not. */
async function recoverLink(
  files: WorkspaceFiles,
  blobs: BlobStore,
  link: Link,
  /** For a rename: what the same move then made of the file under its new name. */
  then: ChangeLink | undefined,
): Promise<string | undefined> {
  if (link.type === 'folder') {
    await (link.made ? files.makeFolder(link.folder) : files.removeEmptyFolder(link.folder));
    return undefined;
  }
  if (link.type === 'rename') {
    const [from, to] = await Promise.all([files.read(link.from), files.read(link.to)]);
    const moved =
      sameContent(to.state, link.state) || (then !== undefined && (await reached(blobs, to, then)));
    if (from.state.kind === 'absent' && moved) return undefined;
    if (to.state.kind !== 'absent' || !sameContent(from.state, link.state)) return 'changed since';
    await files.rename(link.from, link.to);
    return undefined;
  }
  const { file, before, after: to } = link;
  const now = await files.read(file);
  const held = heldBeside(now, before, to);
  if (sameContent(held, to)) return undefined;
  if (!sameContent(held, before) && !(await reached(blobs, now, link))) return 'changed since';
  const refusal = await files.refusal(
    file,
    [before, to].some(({ kind }) => kind === 'symlink'),
  );
  if (refusal !== undefined) return refusal;
  const bytes = to.kind === 'file' ? await blobs.get(to.hash) : undefined;
  if (to.kind === 'file' && bytes === undefined) return 'its stored bytes are missing';
  const wanted = { file, to, save: !now.unsaved, ...(bytes && { bytes }) };
  const after = await putState(files, held, wanted);
  return after === undefined ? 'this kind of file cannot be written here' : differs(after, to);
}

/** Says whether a file holds a link's result or a torn beginning of it. */
async function reached(blobs: BlobStore, now: CurrentFile, link: ChangeLink): Promise<boolean> {
  return sameContent(now.state, link.after) || isTorn(blobs, now, link);
}
