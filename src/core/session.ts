import type { FileKey, SessionFolder } from './fileKey';
import { childrenOf, compareSiblings } from './graph';
import type { NodeId, SessionId } from './ids';
import { undoStacks, type JournalStep, type Move, type Standing } from './journal';
import { emptyDraft, type Draft, type GraphNode } from './node';
import type { FileState } from './changes';
import { changesOf } from './node';
import { linkFiles, sideOf } from './changes';

/** What a session is apart from its history. */
export interface SessionInfo {
  readonly id: SessionId;
  readonly title: string;
  /** An explicit title is never replaced by a found one. */
  readonly titleLocked: boolean;
  readonly folders: readonly SessionFolder[];
  readonly createdAt: number;
  readonly archived: boolean;
  readonly forkedFrom?: { readonly sessionId: SessionId; readonly messageId: NodeId | null };
}

/**
 * One thing that happened to a session. The stored session is its records in order; a record is written once.
 * `node` puts a finished node into the graph and, with `standing`, moves the head to it; `files` of a move come ahead
 * of the writes (`results` missing) and again when it has settled.
 */
export type SessionRecord =
  | { readonly type: 'info'; readonly info: SessionInfo }
  | { readonly type: 'node'; readonly node: GraphNode; readonly standing?: Standing }
  | { readonly type: 'move'; readonly move: Move }
  | { readonly type: 'standing'; readonly standing: Standing };

/** A session in memory: a value, changed only by {@link applyRecord}. */
export interface Session {
  readonly info: SessionInfo;
  readonly nodes: ReadonlyMap<NodeId, GraphNode>;
  readonly children: ReadonlyMap<NodeId | null, readonly NodeId[]>;
  readonly standing: Standing;
  readonly draft: Draft;
  readonly steps: readonly JournalStep[];
  /** The child last on the active path under each node. */
  readonly viewed: ReadonlyMap<NodeId | null, NodeId>;
  /** The first state ever recorded of each file: what it holds wherever no recorded change lies above. */
  readonly origins: ReadonlyMap<FileKey, FileState>;
}

/** Returns a session with nothing in it, standing at the start. */
export function emptySession(info: SessionInfo): Session {
  return {
    info,
    nodes: new Map(),
    children: new Map(),
    standing: { head: null, filesHead: null, apart: {} },
    draft: emptyDraft,
    steps: [],
    viewed: new Map(),
    origins: new Map(),
  };
}
