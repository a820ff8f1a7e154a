import type { FileState, Link } from '../../core/changes';
import { keyUri, type FileKey, type SessionFolder } from '../../core/fileKey';
import { ancestors, inOrder } from '../../core/graph';
import type { NodeId } from '../../core/ids';
import type { Mode } from '../../core/mode';
import { changesOf, nodeText, type Draft, type GraphNode, type TurnStatus } from '../../core/node';
import type { FileOutcome } from '../../core/journal';
import type { ErrorCode } from '../../engine/errors';
import type { OpenSession } from '../../engine/openSession';
import type { Performed } from '../../engine/sheets';
import type { FileChangeKind } from '../../protocol/viewModel';
import { foldTurn } from '../../core/turnFiles';

/** What a move came to. */
export interface MoveResult {
  readonly sessionId: string;
  readonly moveId: string;
  readonly headId: string | null;
  /** The text a rewind gave back to the composer. */
  readonly userText?: string;
  readonly turnsReverted: number;
  readonly restoredPaths: readonly string[];
  readonly files: readonly {
    readonly uri: string;
    readonly outcome: FileOutcome;
    readonly reason?: string;
    readonly added?: number;
    readonly removed?: number;
  }[];
  readonly errors: readonly {
    readonly uri?: string;
    readonly code: ErrorCode;
    readonly message: string;
  }[];
}

/** A fork: where it came from, and what it is called. */
export interface ForkResult {
  readonly sessionId: string;
  readonly title: string;
  readonly forkedFrom: { readonly sessionId: string; readonly messageId: string | null };
}

/** A session as `retrace.getSession` gives it. */
export interface SessionResult {
  readonly id: string;
  readonly title: string;
  readonly headId: string | null;
  readonly filesHeadId: string | null;
  readonly apart: readonly string[];
  readonly running: boolean;
  /** How far the agent may go. */
  readonly mode: Mode;
  /** Parents before children, siblings in their stored order. */
  readonly nodes: readonly NodeResult[];
  /** The ids of what is shown: the head's ancestors, first one first. */
  readonly view: readonly string[];
  readonly draft: Draft;
}

export interface NodeResult {
  readonly id: string;
  readonly parentId: string | null;
  readonly role: Exclude<GraphNode['role'], 'files'>;
  readonly text: string;
  readonly status: TurnStatus;
  readonly files: readonly FileResult[];
  /** What somebody called it. */
  readonly label?: string;
  /** Out of the graph's sight, with everything under it. */
  readonly archived?: true;
}

interface FileResult {
  readonly uri: string;
  readonly kind: FileChangeKind;
  readonly uncovered?: string;
}

const written: ReadonlySet<FileOutcome> = new Set(['restored', 'merged', 'deleted', 'moved']);

/** Returns what a settled move came to. */
export function moveResult(session: OpenSession, { plan, move }: Performed): MoveResult {
  const uriOf = (file: FileKey): string => fileUri(session.info.folders, file);
  const results = move.results ?? [];
  const files = results.map(({ file, ...rest }) => ({ uri: uriOf(file), ...rest }));
  const givesText = plan.request.verb === 'rewind' || plan.request.verb === 'checkout';
  return {
    sessionId: session.id,
    moveId: move.id,
    headId: move.after.head,
    ...(givesText && plan.draft !== undefined && { userText: plan.draft.text }),
    turnsReverted: move.turnsReverted,
    restoredPaths: files.filter(({ outcome }) => written.has(outcome)).map(({ uri }) => uri),
    files,
    errors: files
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'uncovered')
      .map(({ uri, outcome, reason }) => ({
        uri,
        code: outcome === 'uncovered' ? 'not_found' : 'storage',
        message: reason ?? outcome,
      })),
  };
}

/** Returns what a fork came to. */
export function forkResult({ id, info }: OpenSession): ForkResult {
  return {
    sessionId: id,
    title: info.title,
    forkedFrom: info.forkedFrom ?? { sessionId: id, messageId: null },
  };
}

/** Returns a session's messages and where it stands. */
export function sessionResult(session: OpenSession, mode: Mode): SessionResult {
  const { state, standing, info } = session;
  return {
    id: session.id,
    title: info.title,
    headId: standing.head,
    filesHeadId: standing.filesHead,
    apart: session.apartFiles.map((file) => fileUri(info.folders, file)),
    running: session.running !== undefined,
    mode,
    nodes: inOrder(state.nodes, state.children).flatMap((node) =>
      nodeResult(node, info.folders).map((result) => ({ ...result, ...marked(session, node) })),
    ),
    view: ancestors(state.nodes, standing.head)
      .filter((node) => node.role !== 'files')
      .map((node): NodeId => node.id),
    draft: session.draft.draft,
  };
}

function marked(
  { state: { labels, archived } }: OpenSession,
  { id }: GraphNode,
): Pick<NodeResult, 'label' | 'archived'> {
  const label = labels.get(id);
  return {
    ...(label !== undefined && { label }),
    ...(archived.has(id) && { archived: true }),
  };
}

function nodeResult(node: GraphNode, folders: readonly SessionFolder[]): NodeResult[] {
  if (node.role === 'files') return [];
  const { id, parentId, role } = node;
  return [
    {
      id,
      parentId,
      role,
      text: nodeText(node),
      status: node.role === 'assistant' ? node.status : 'done',
      files: fileResults(changesOf(node), folders),
    },
  ];
}

/** One row a file, from before the turn's first change to after its last, and one a folder. */
function fileResults(links: readonly Link[], folders: readonly SessionFolder[]): FileResult[] {
  const rows = foldTurn(links).map(({ file, from, before, after }): FileResult => {
    const uncovered = reasonOf(before) ?? reasonOf(after);
    return {
      uri: fileUri(folders, file),
      kind: from === undefined ? kindOf(before, after) : 'renamed',
      ...(uncovered !== undefined && { uncovered }),
    };
  });
  const madeOrRemoved = links.flatMap((link) => (link.type === 'folder' ? [link.folder] : []));
  return [
    ...rows,
    ...[...new Set(madeOrRemoved)].map((folder): FileResult => ({
      uri: fileUri(folders, folder),
      kind: 'folder',
    })),
  ];
}

function kindOf(before: FileState, after: FileState): FileChangeKind {
  if (before.kind === 'uncovered' || after.kind === 'uncovered') return 'uncovered';
  if (before.kind === 'absent') return 'created';
  return after.kind === 'absent' ? 'deleted' : 'changed';
}

function reasonOf(state: FileState): string | undefined {
  return state.kind === 'uncovered' ? state.reason : undefined;
}

/** A file of a folder the session no longer has keeps its key as its name. */
function fileUri(folders: readonly SessionFolder[], file: FileKey): string {
  return keyUri(folders, file) ?? file;
}
