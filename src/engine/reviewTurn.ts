import { absent, hashOf } from '../core/changes';
import type { FileKey } from '../core/fileKey';
import { knownState } from '../core/known';
import type { Place } from '../core/ids';
import { changesOf, type AssistantNode, type FileNode } from '../core/node';
import { planFiles } from '../core/plan';
import {
  readChanges,
  undoChanges,
  type ReviewedChange,
  type ReviewedContent,
} from '../core/review';
import { placeOf } from '../core/route';
import type { SessionRecord } from '../core/session';
import { foldTurn, type TurnFile } from '../core/turnFiles';
import { RetraceError } from './errors';
import type { MoveRequest } from './movePlan';
import type { OpenSession } from './openSession';
import type { BlobStore, CurrentFile, Runtime, WorkspaceFiles } from './ports';

/** A file the last reply changed and that still stands there. */
export type ReviewedFile = TurnFile;

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
  return standing.filesHead === node.id ? node : undefined;
}

/** Returns the files a reply changed, but for those that went elsewhere since. */
export function reviewedFiles(session: OpenSession, reply: AssistantNode): ReviewedFile[] {
  return foldTurn(changesOf(reply)).filter(({ file }) => {
    const { nodes } = session.state;
    let place = nodes.get(placeOf(session.standing, file) ?? '');
    // Where changes were undone, a file stands at a node that says so.
    while (place?.role === 'files') place = nodes.get(place.filesFrom ?? '');
    return place?.id === reply.id;
  });
}

/** Reads what the last reply did to files, line by line, and undoes it in parts: by a move of just those files. */
export class TurnReview {
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
   * Returns the move that undoes what was picked. A file that keeps some of the changes gets a place to stand at, which is
   * recorded first. Throws `conflict` for a change that was edited since.
   */
  async undo(
    session: OpenSession,
    reply: AssistantNode,
    picks: readonly UndoPick[],
  ): Promise<MoveRequest> {
    const known = reviewedFiles(session, reply);
    const places: Record<FileKey, Place> = {};
    const nodes: FileNode[] = [];
    for (const pick of picks) {
      const file = known.find((one) => one.file === pick.file);
      if (file === undefined) throw gone();
      const node =
        pick.changes === 'all' ? undefined : await this.inPart(session, reply, file, pick.changes);
      if (node !== undefined) nodes.push(node);
      else if (file.from !== undefined) places[file.from] = reply.filesFrom;
      places[file.file] = node === undefined ? reply.filesFrom : node.id;
    }
    await session.append(nodes.map((node): SessionRecord => ({ type: 'node', node })));
    return { verb: 'files', scope: 'files', messageId: reply.id, places };
  }

  /** Returns the place of a file without some changes, or nothing where that is what it was before the reply. */
  private async inPart(
    session: OpenSession,
    reply: AssistantNode,
    file: ReviewedFile,
    wanted: readonly number[],
  ): Promise<FileNode | undefined> {
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
    const recorded = readChanges({ ...content, current: content.recorded }) ?? [];
    const bytes = undoChanges(content.recorded, recorded.filter(isOpen));
    const place = placeOf(session.standing, file.file);
    const { nodes, origins } = session.state;
    const before = knownState(nodes, origins, file.file, place);
    if (bytes === undefined || before?.kind !== 'file') throw gone();
    const left = recorded.filter((change) => change.state !== 'undone' && !isOpen(change));
    // Its new name is a change of its own: it goes with the whole file only.
    if (left.length === 0 && file.from === undefined) return undefined;
    const hash = await this.blobs.put(bytes);
    const after = { ...before, hash, size: bytes.length };
    return {
      role: 'files',
      id: this.runtime.newId(),
      parentId: reply.id,
      filesFrom: place,
      createdAt: this.runtime.now(),
      order: 0,
      changes: [{ type: 'change', file: file.file, before, after, by: 'move' }],
    };
  }

  /**
   * Returns a file before and after the reply, as last recorded, and now. Before is what undoing the whole file would give: what a hand did
   * between two writes of the reply is nobody's to undo.
   */
  private async content(
    session: OpenSession,
    reply: AssistantNode,
    { file, from }: ReviewedFile,
    now: CurrentFile,
  ): Promise<ReviewedContent | undefined> {
    const { nodes, origins } = session.state;
    const there = { head: reply.id, filesHead: reply.id, apart: {} };
    const plan = await planFiles(
      session.state,
      {
        from: there,
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
    const after = plan.files.find((one) => one.file === file);
    const before = plan.files.find((one) => one.file === (from ?? file));
    if (after?.current.bytes === undefined || now.bytes === undefined) return undefined;
    if (before === undefined || before.problem !== undefined) return undefined;
    if (before.result.kind !== 'file' && before.result.kind !== 'absent') return undefined;
    const old = before.result.kind === 'absent' ? new Uint8Array() : before.bytes;
    const place = knownState(nodes, origins, file, placeOf(session.standing, file));
    const recorded = await this.blobs.get((place && hashOf(place)) ?? '');
    if (old === undefined || recorded === undefined) return undefined;
    return { before: old, after: after.current.bytes, recorded, current: now.bytes };
  }
}

function gone(): RetraceError {
  return new RetraceError('not_found', 'The change is no longer there.');
}
