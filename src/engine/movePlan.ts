import type { FileKey } from '../core/fileKey';
import { ancestors, lastViewedLeaf } from '../core/graph';
import type { NodeId, Place } from '../core/ids';
import { isReachable } from '../core/soundness';
import { undoStacks, type Move, type MoveVerb } from '../core/journal';
import type { Draft, UserNode } from '../core/node';
import type { FilesPlan } from '../core/plan';
import type { Journey } from '../core/route';
import type { SessionState } from '../core/session';
import { RetraceError } from './errors';

/** What a move takes along: the conversation, the files, or both. */
export type Scope = 'both' | 'chat' | 'files';

/** What is asked of a move, before anything is looked at. */
export interface MoveRequest {
  readonly verb: MoveVerb;
  readonly messageId?: NodeId;
  readonly scope: Scope;
  /** Just these files, to where `messageId` (or the files head) has them. */
  readonly only?: readonly FileKey[];
  /** For `files`: a place made for where the files are now, to which all go but those that stand apart. */
  readonly to?: NodeId;
  /** For `edit`: what is sent instead; for `regenerate`: with which model. */
  readonly draft?: Draft;
  readonly model?: string;
}

/** Where a move leads, as the graph alone says. */
export interface MoveAim {
  readonly request: MoveRequest;
  readonly target: NodeId | null;
  readonly head: NodeId | null;
  /** Undefined where the move writes no file at all. */
  readonly journey: Journey | undefined;
  /** What the composer holds afterwards; undefined leaves it alone. */
  readonly draft: Draft | undefined;
  readonly takesBack?: Move;
  readonly turnsReverted: number;
  /** For regenerate and edit: the node the new turn follows. */
  readonly continueAt?: NodeId | null;
}

/** A move worked out and waiting to be confirmed. */
export interface MovePlan extends MoveAim {
  readonly planId: string;
  readonly files: FilesPlan;
  /** Made anew because files changed since the last plan. */
  readonly replanned: boolean;
}

/** Finds where a move leads. Throws `not_found`, `invalid` or `nothing_to_do`. */
export function aimMove(session: SessionState, request: MoveRequest): MoveAim {
  const aim = aimVerb(session, request);
  if (aim.head === session.standing.head || isReachable(session.nodes, aim.head)) return aim;
  throw new RetraceError(
    'not_found',
    'A message this one follows is missing or damaged, so the conversation cannot go there.',
  );
}

function aimVerb(session: SessionState, request: MoveRequest): MoveAim {
  switch (request.verb) {
    case 'rewind':
      return aimRewind(session, request);
    case 'edit':
      return {
        ...aimRewind(session, request),
        draft: undefined,
        continueAt: userNode(session, request).parentId,
      };
    case 'regenerate':
      return aimRegenerate(session, request);
    case 'switch':
      return aimAt(session, request, leafOf(session, request));
    case 'checkout':
      return node(session, request).role === 'user'
        ? aimRewind(session, request)
        : aimAt(session, request, node(session, request).id);
    case 'files':
      return aimFiles(session, request);
    case 'undo':
      return aimTakeBack(session, request, undoStacks(session.steps).undo.at(-1));
    case 'redo':
      return aimTakeBack(session, request, undoStacks(session.steps).redo.at(-1));
  }
}

function aimRewind(session: SessionState, request: MoveRequest): MoveAim {
  const user = userNode(session, request);
  const aim = aimTo(session, request, user.parentId, user.filesFrom);
  const takesText = request.scope !== 'files';
  return {
    ...aim,
    target: user.id,
    draft: takesText ? { text: user.text, attachments: user.attachments } : undefined,
  };
}

function aimRegenerate(session: SessionState, request: MoveRequest): MoveAim {
  const found = node(session, request);
  const user = found.role === 'user' ? found : parentOf(session, found.parentId);
  if (user?.role !== 'user' || (found.role !== 'user' && found.role !== 'assistant')) {
    throw new RetraceError('invalid', 'Only a reply can be regenerated.');
  }
  const place = found.role === 'user' ? user.id : found.filesFrom;
  return { ...aimTo(session, request, user.id, place), target: found.id, continueAt: user.id };
}

function aimAt(session: SessionState, request: MoveRequest, id: NodeId): MoveAim {
  return { ...aimTo(session, request, id, id), target: request.messageId ?? id };
}

function aimFiles(session: SessionState, request: MoveRequest): MoveAim {
  const { standing } = session;
  const place = request.messageId === undefined ? standing.filesHead : node(session, request).id;
  // A place that was made for where the files were leads nowhere from elsewhere.
  if (request.to !== undefined && session.nodes.get(request.to)?.filesFrom !== standing.filesHead)
    throw new RetraceError('not_found', 'The change is no longer there.');
  const only = request.only ?? Object.keys(standing.apart);
  const journey: Journey =
    request.to === undefined
      ? {
          from: standing,
          to: { filesHead: place, apart: {} },
          takeBack: [],
          only: new Set(only),
        }
      : { from: standing, to: { filesHead: request.to, apart: standing.apart }, takeBack: [] };
  return {
    request,
    target: request.messageId ?? null,
    head: standing.head,
    journey,
    draft: undefined,
    turnsReverted: 0,
  };
}

function aimTo(
  session: SessionState,
  request: MoveRequest,
  head: NodeId | null,
  place: Place,
): MoveAim {
  const { standing } = session;
  const takesChat = request.scope !== 'files';
  const takesFiles = request.scope !== 'chat';
  return {
    request,
    target: request.messageId ?? null,
    head: takesChat ? head : standing.head,
    journey: takesFiles
      ? { from: standing, to: { filesHead: place, apart: {} }, takeBack: [] }
      : undefined,
    draft: undefined,
    turnsReverted: takesChat ? countTurns(session, standing.head, head) : 0,
  };
}

function aimTakeBack(
  session: SessionState,
  request: MoveRequest,
  entry: Move | undefined,
): MoveAim {
  if (entry === undefined)
    throw new RetraceError(
      'nothing_to_do',
      request.verb === 'undo' ? 'There is nothing to undo.' : 'There is nothing to redo.',
    );
  const journey: Journey = {
    from: session.standing,
    via: entry.after,
    to: entry.before,
    takeBack: entry.links,
  };
  return {
    request,
    target: entry.target,
    head: entry.before.head,
    journey,
    draft: entry.draftBefore,
    takesBack: entry,
    turnsReverted: countTurns(session, session.standing.head, entry.before.head),
  };
}

/** Counts the user's turns that leave the conversation when the head goes from one node to another. */
function countTurns(session: SessionState, from: NodeId | null, to: NodeId | null): number {
  const stay = new Set(ancestors(session.nodes, to).map((found) => found.id));
  return ancestors(session.nodes, from).filter(
    (found) => found.role === 'user' && !stay.has(found.id),
  ).length;
}

function node(session: SessionState, request: MoveRequest) {
  const found = request.messageId === undefined ? undefined : session.nodes.get(request.messageId);
  if (found === undefined || found.role === 'files') {
    throw new RetraceError('not_found', 'There is no message {0} in this session.', [
      request.messageId ?? '',
    ]);
  }
  return found;
}

function userNode(session: SessionState, request: MoveRequest): UserNode {
  const found = node(session, request);
  if (found.role !== 'user') throw new RetraceError('invalid', 'Choose one of your own messages.');
  return found;
}

function parentOf(session: SessionState, id: NodeId | null) {
  return id === null ? undefined : session.nodes.get(id);
}

function leafOf(session: SessionState, request: MoveRequest): NodeId {
  return lastViewedLeaf(session.children, session.viewed, node(session, request).id);
}
