import { isAncestor } from '../core/graph';
import type { NodeId } from '../core/ids';
import type { GraphNode } from '../core/node';
import type { Mark, SessionState } from '../core/session';
import { RetraceError } from './errors';
import type { OpenSession } from './openSession';

/** How long a label may be, in characters. */
export const labelLength = 80;

/** Returns a label as it is kept: on one line, and no longer than labels are. */
export function plainLabel(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.slice(0, labelLength).replace(/[\uD800-\uDBFF]$/u, '');
}

/** Labels a message, or with an empty text takes its label away. Throws `not_found`, `invalid`. */
export async function labelMessage(
  session: OpenSession,
  messageId: NodeId,
  text: string,
): Promise<string> {
  requireMessage(session, messageId);
  const label = text.replace(/\s+/gu, ' ').trim();
  if (label.length > labelLength)
    throw new RetraceError('invalid', 'A label has at most {0} characters.', [labelLength]);
  if ((session.state.labels.get(messageId) ?? '') !== label)
    await session.append([{ type: 'mark', mark: { messageId, label } }]);
  return label;
}

/**
 * Takes a message and everything under it out of the graph's sight, or puts it back. Nothing else of it changes: versions,
 * search and commands still reach it. Throws `not_found`, and `invalid` where the session stands on that branch.
 */
export async function archiveBranch(
  session: OpenSession,
  messageId: NodeId,
  archived: boolean,
): Promise<void> {
  requireMessage(session, messageId);
  if (archived && isAncestor(session.state.nodes, messageId, session.standing.head))
    throw new RetraceError(
      'invalid',
      'The session stands on this branch. Check out another one first.',
    );
  if (session.state.archived.has(messageId) !== archived)
    await session.append([{ type: 'mark', mark: { messageId, archived } }]);
}

/** Returns what was said of the messages of a session, one a message. */
export function marksOf({ labels, archived }: SessionState): Mark[] {
  return [...new Set([...labels.keys(), ...archived])].map((messageId) => {
    const label = labels.get(messageId);
    return {
      messageId,
      ...(label !== undefined && { label }),
      ...(archived.has(messageId) && { archived: true }),
    };
  });
}

function requireMessage({ state }: OpenSession, messageId: NodeId): GraphNode {
  const node = state.nodes.get(messageId);
  if (node === undefined || node.role === 'files')
    throw new RetraceError('not_found', 'There is no message {0} in this session.', [messageId]);
  return node;
}
