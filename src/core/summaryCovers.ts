import { estimateTokens } from './estimate';
import type { NodeId } from './ids';
import type { GraphNode } from './node';
import { requestNodes } from './requestNodes';

/**
 * Returns what a summary made after `history` (a head's ancestors, oldest first) stands for: everything before the last
 * turn, or the last turn too where it is the only one, or alone takes more than `mostTokens`.
 */
export function summaryCovers(
  history: readonly GraphNode[],
  mostTokens: number,
): readonly NodeId[] {
  const asked = history.findLastIndex((node) => node.role === 'user');
  const older = requestNodes(history.slice(0, Math.max(asked, 0)));
  const last = estimateTokens(history.slice(Math.max(asked, 0)));
  const covered = older.length === 0 || last > mostTokens ? requestNodes(history) : older;
  return covered.map((node) => node.id);
}
