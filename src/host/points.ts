import * as vscode from 'vscode';
import { ancestors } from '../core/graph';
import type { NodeId } from '../core/ids';
import { RetraceError } from '../engine/errors';
import type { OpenSession } from '../engine/openSession';
import type { RewindPoint } from '../engine/retrace';

/** Returns the n-th of the points. Throws `out_of_range`, naming the range, for anything but a whole number in it. */
export function pointAt<T extends { readonly messageId: NodeId }>(
  points: readonly T[],
  n: number,
): T {
  const point = Number.isInteger(n) ? points[n - 1] : undefined;
  if (point === undefined) throw outOfRange(1, points.length);
  return point;
}

/** The refusal of a number: what would have been one, and that nothing was changed. */
export function outOfRange(from: number, to: number): RetraceError {
  if (to < from) return new RetraceError('out_of_range', nothingToRewind());
  return new RetraceError(
    'out_of_range',
    vscode.l10n.t('Choose a whole number from {0} to {1}. Nothing was changed.', from, to),
  );
}

/** Returns the points, or throws `nothing_to_do` where the session has no message yet. */
export function somePoints(points: readonly RewindPoint[]): readonly RewindPoint[] {
  if (points.length > 0) return points;
  throw new RetraceError('nothing_to_do', nothingToRewind());
}

function nothingToRewind(): string {
  return vscode.l10n.t('There is no message to go back to. Nothing was changed.');
}

/** Returns the last reply of the active branch, or the last message where it has none. Throws `nothing_to_do`. */
export function lastReply(session: OpenSession): NodeId {
  const path = ancestors(session.state.nodes, session.standing.head);
  const last = path.findLast((node) => node.role === 'assistant' || node.role === 'user');
  if (last !== undefined) return last.id;
  throw new RetraceError('nothing_to_do', vscode.l10n.t('There is no reply to regenerate.'));
}
