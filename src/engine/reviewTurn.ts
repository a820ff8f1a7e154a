import {
  absent,
  hashOf,
  linkFiles,
  sameState,
  type FileState,
  type FolderLink,
  type Link,
} from '../core/changes';
import { keyLabel, type FileKey } from '../core/fileKey';
import type { Nodes } from '../core/graph';
import type { NodeId, Place } from '../core/ids';
import { knownState, lastSide } from '../core/known';
import { changesOf, type AssistantNode, type FileNode } from '../core/node';
import { planFiles, type PlannedFile } from '../core/plan';
import {
  readChanges,
  undoChanges,
  type ReviewedChange,
  type ReviewedContent,
} from '../core/review';
import { foldTurn, type TurnFile } from '../core/turnFiles';
import { RetraceError } from './errors';
import type { MoveRequest } from './movePlan';
import { isNotebook } from './notebookText';
import type { OpenSession } from './openSession';
import type { BlobStore, CurrentFile, Runtime, WorkspaceFiles } from './ports';

/** A file the last reply changed and that still stands there. */
export type ReviewedFile = TurnFile;

/** A file before and after the reply. */
interface Sides {
  readonly before?: PlannedFile;
  readonly after?: PlannedFile;
}

/** So many files' contents are kept in memory. */
const rememberedFiles = 8;

/** Changes to be undone: all of a file's, or those with these numbers. */
export interface UndoPick {
  readonly file: FileKey;
  readonly changes: 'all' | readonly number[];
}

/** What is reviewed: the reply the conversation and the files stand on, when it has ended. */
export function reviewedReply({
  state,
  standing,
  running,
}: OpenSession): AssistantNode | undefined {
  const node = state.nodes.get(standing.head ?? '');
  if (running !== undefined || node?.role !== 'assistant') return undefined;
  return partsUndone(state.nodes, node.id, standing.filesHead) === undefined ? undefined : node;
}

/**
 * Returns the nodes that say what was undone of a reply, newest first, where the files stand at it but for that; else
 * undefined.
 */
export function partsUndone(
  nodes: Nodes,
  reply: NodeId,
  filesHead: Place,
): readonly FileNode[] | undefined {
  const parts: FileNode[] = [];
  let place = filesHead;
  while (place !== reply) {
    const node = nodes.get(place ?? '');
    if (node?.role !== 'files' || node.parentId !== reply) return undefined;
    parts.push(node);
    place = node.filesFrom;
  }
  return parts;
}

/** Returns the files a reply changed, but for those that stand apart or were undone whole. */
export function reviewedFiles(
  { state, standing }: OpenSession,
  reply: AssistantNode,
): ReviewedFile[] {
  return foldTurn(changesOf(reply)).filter(({ file, from, before, after }) => {
    if ([file, from ?? file].some((name) => name in standing.apart)) return false;
    const now = knownState(state.nodes, state.origins, file, standing.filesHead);
    const isBefore = from === undefined ? sameState(now ?? absent, before) : false;
    return !isBefore && (now?.kind !== 'absent' || after.kind === 'absent');
  });
}

/** Puts the folders around links that undo a reply's: those they need are made, those they leave empty go. */
function withFolders(
  session: OpenSession,
  reply: AssistantNode,
  links: readonly Link[],
): readonly Link[] {
  const { state, standing } = session;
  const touched = new Set([
    ...foldTurn(changesOf(reply)).map(({ file }) => file),
    ...links.flatMap(linkFiles),
  ]);
  const held = (file: FileKey): FileState => {
    const known = knownState(state.nodes, state.origins, file, standing.filesHead);
    return lastSide(links, file) ?? known ?? absent;
  };
  const folders = changesOf(reply).flatMap((link) => (link.type === 'folder' ? [link.folder] : []));
  const made: FolderLink[] = [];
  const removed: FolderLink[] = [];
  for (const folder of [...new Set(folders)].sort()) {
    const there = held(folder).kind === 'folder';
    const needed = [...touched].some(
      (file) => file.startsWith(`${folder}/`) && !['absent', 'folder'].includes(held(file).kind),
    );
    if (needed && !there) made.push({ type: 'folder', folder, made: true, by: 'move' });
    // One that was there before the reply stays, as it was then.
    const before = knownState(state.nodes, state.origins, folder, reply.filesFrom);
    if (!needed && there && before?.kind !== 'folder')
      removed.unshift({ type: 'folder', folder, made: false, by: 'move' });
  }
  return [...made, ...links, ...removed];
}

/** Reads what the last reply did to files, line by line, and undoes it in parts: by a move of the files only. */
export class TurnReview {
  readonly #sides = new Map<string, Promise<Sides>>();

  constructor(
    private readonly blobs: BlobStore,
    private readonly runtime: Runtime,
    private readonly filesOf: (session: OpenSession) => WorkspaceFiles,
  ) {}

  /** Returns a file's changes as they lie in what it holds now; undefined where they cannot be told line by line. */
  async changes(
    session: OpenSession,
    reply: AssistantNode,
    file: ReviewedFile,
  ): Promise<ReviewedChange[] | undefined> {
    const now = await this.filesOf(session).read(file.file);
    const content = await this.content(session, reply, file, now);
    return content && readChanges(content);
  }

  /**
   * Returns the move that undoes what was picked. The files get a place to stand at, which is recorded first. Throws
   * `conflict` for a change that was edited since.
   */
  async undo(
    session: OpenSession,
    reply: AssistantNode,
    picks: readonly UndoPick[],
  ): Promise<MoveRequest> {
    const known = reviewedFiles(session, reply);
    const wanted = picks.map(({ file, changes }) => {
      const found = known.find((one) => one.file === file);
      if (found === undefined) throw gone();
      return { file: found, changes };
    });
    const oldNames = new Set(wanted.flatMap(({ file }) => file.from ?? []));
    const links: Link[] = [];
    // A name is free for the file that had it once the one that took it has gone.
    for (const takesName of [true, false]) {
      for (const { file, changes } of wanted) {
        if (oldNames.has(file.file) !== takesName) continue;
        const whole = changes === 'all';
        links.push(
          ...(whole
            ? await this.whole(session, reply, file, links)
            : await this.inPart(session, reply, file, changes, links)),
        );
      }
    }
    const node: FileNode = {
      role: 'files',
      id: this.runtime.newId(),
      parentId: reply.id,
      filesFrom: session.standing.filesHead,
      createdAt: this.runtime.now(),
      order: 0,
      changes: withFolders(session, reply, links),
    };
    await session.append([{ type: 'node', node }]);
    return { verb: 'files', scope: 'files', messageId: reply.id, to: node.id };
  }

  /** Returns the links from a file as last recorded to what it was before the reply, its name too. */
  private async whole(
    session: OpenSession,
    reply: AssistantNode,
    { file, from }: ReviewedFile,
    others: readonly Link[],
  ): Promise<Link[]> {
    const { before: planned } = await this.sides(session, reply, file, from);
    const recorded = this.recorded(session, file);
    if (planned === undefined || planned.problem !== undefined) {
      throw new RetraceError(
        'conflict',
        'What {0} held before the reply is not known exactly. Rewind to your message, or undo it by hand.',
        [keyLabel(session.info.folders, file)],
      );
    }
    if (planned.bytes !== undefined) await this.blobs.put(planned.bytes);
    const after = planned.result;
    if (from === undefined) return [{ type: 'change', file, before: recorded, after, by: 'move' }];
    const there = lastSide(others, from) ?? this.recorded(session, from);
    if (there.kind !== 'absent') {
      const { folders } = session.info;
      throw new RetraceError(
        'conflict',
        '{0} was called {1}, and another file has that name now. Undo that one first.',
        [keyLabel(folders, file), keyLabel(folders, from)],
      );
    }
    const back: Link = { type: 'rename', from: file, to: from, state: recorded, by: 'move' };
    const change: Link = { type: 'change', file: from, before: recorded, after, by: 'move' };
    return sameState(recorded, after) ? [back] : [back, change];
  }

  /** Returns the link from a file as last recorded to the same without some changes. */
  private async inPart(
    session: OpenSession,
    reply: AssistantNode,
    file: ReviewedFile,
    wanted: readonly number[],
    others: readonly Link[],
  ): Promise<Link[]> {
    const now = await this.filesOf(session).read(file.file);
    const content = await this.content(session, reply, file, now);
    const isOpen = ({ index, state }: ReviewedChange): boolean =>
      wanted.includes(index) && state !== 'undone';
    const present = ((content && readChanges(content)) ?? []).filter(isOpen);
    if (content === undefined || present.length === 0) throw gone();
    if (present.some(({ state }) => state === 'edited')) {
      throw new RetraceError(
        'conflict',
        'These lines were edited since the reply wrote them. Undo them by hand.',
      );
    }
    const changes = readChanges({ ...content, current: content.recorded }) ?? [];
    const left = changes.filter((change) => change.state !== 'undone' && !isOpen(change));
    // Its new name is a change of its own: it goes with the whole file only.
    if (left.length === 0 && file.from === undefined)
      return this.whole(session, reply, file, others);
    const bytes = undoChanges(content.recorded, changes.filter(isOpen));
    const before = this.recorded(session, file.file);
    if (bytes === undefined || before.kind !== 'file') throw gone();
    const after = { ...before, hash: await this.blobs.put(bytes), size: bytes.length };
    return [{ type: 'change', file: file.file, before, after, by: 'move' }];
  }

  private recorded({ state, standing }: OpenSession, file: FileKey): FileState {
    return knownState(state.nodes, state.origins, file, standing.filesHead) ?? absent;
  }

  /** Returns a file before and after the reply, as last recorded, and now; undefined where it is not all contents. */
  private async content(
    session: OpenSession,
    reply: AssistantNode,
    { file, from }: ReviewedFile,
    now: CurrentFile,
  ): Promise<ReviewedContent | undefined> {
    if (isNotebook(file)) return undefined;
    const { before, after } = await this.sides(session, reply, file, from);
    if (after?.current.bytes === undefined || now.bytes === undefined) return undefined;
    if (before === undefined || before.problem !== undefined) return undefined;
    if (before.result.kind !== 'file' && before.result.kind !== 'absent') return undefined;
    const old = before.result.kind === 'absent' ? new Uint8Array() : before.bytes;
    const recorded = await this.blobs.get(hashOf(this.recorded(session, file)) ?? '');
    if (old === undefined || recorded === undefined) return undefined;
    return { before: old, after: after.current.bytes, recorded, current: now.bytes };
  }

  /** What is looked at while somebody types in it is not folded at each key; a reply that has ended never changes. */
  private sides(
    session: OpenSession,
    reply: AssistantNode,
    file: FileKey,
    from: FileKey | undefined,
  ): Promise<Sides> {
    const name = JSON.stringify([reply.id, file]);
    const known = this.#sides.get(name);
    if (known !== undefined) return known;
    const sides = this.fold(session, reply, file, from);
    this.#sides.set(name, sides);
    sides.catch(() => this.#sides.delete(name));
    const [oldest] = this.#sides.keys();
    if (this.#sides.size > rememberedFiles && oldest !== undefined) this.#sides.delete(oldest);
    return sides;
  }

  /**
   * Folds what the reply did to a file back over what it left. So before is not what lay there first: what a hand did
   * between two writes of the reply is nobody's to undo.
   */
  private async fold(
    session: OpenSession,
    reply: AssistantNode,
    file: FileKey,
    from: FileKey | undefined,
  ): Promise<Sides> {
    const { nodes, origins } = session.state;
    const { files } = await planFiles(
      session.state,
      {
        from: { head: reply.id, filesHead: reply.id, apart: {} },
        to: { filesHead: reply.filesFrom, apart: {} },
        takeBack: [],
        only: new Set([file, ...(from === undefined ? [] : [from])]),
      },
      {
        current: async (name) => {
          const state = knownState(nodes, origins, name, reply.id) ?? absent;
          const bytes = await this.blobs.get(hashOf(state) ?? '');
          return { state, disk: state, unsaved: false, ...(bytes && { bytes }) };
        },
        blob: (hash) => this.blobs.get(hash),
        sha256: (bytes) => this.runtime.sha256(bytes),
      },
    );
    const after = files.find((one) => one.file === file);
    const before = files.find((one) => one.file === (from ?? file));
    return { ...(before && { before }), ...(after && { after }) };
  }
}

function gone(): RetraceError {
  return new RetraceError('not_found', 'The change is no longer there.');
}
