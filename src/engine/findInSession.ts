import { ancestors } from '../core/graph';
import type { NodeId } from '../core/ids';
import { nodeText } from '../core/node';
import type { SessionState } from '../core/session';
import { excerptAt, patternOf } from './findText';

/** A message that holds what was looked for. */
export interface MessageHit {
  readonly messageId: NodeId;
  /** The first place in it, with a little around it. */
  readonly excerpt: string;
  /** False where the message is on another branch than the one that is shown. */
  readonly onPath: boolean;
}

export interface MessageHits {
  readonly hits: readonly MessageHit[];
  /** False where there are more than are told. */
  readonly complete: boolean;
}

/** No more messages are told of one search. */
const most = 1_000;

/** Finds messages by their text, capitals aside: those of the conversation in its order, then those on other branches. */
export function findInSession(
  { nodes, standing }: SessionState,
  text: string,
  everywhere: boolean,
): MessageHits {
  const pattern = patternOf(text);
  if (pattern === undefined) return { hits: [], complete: true };
  const path = ancestors(nodes, standing.head);
  const onPath = new Set(path.map(({ id }) => id));
  const others = everywhere ? [...nodes.values()].filter(({ id }) => !onPath.has(id)) : [];
  const hits: MessageHit[] = [];
  for (const node of [...path, ...others]) {
    if (node.role === 'files') continue;
    const said = nodeText(node);
    const at = said.search(pattern);
    if (at === -1) continue;
    if (hits.length === most) return { hits, complete: false };
    hits.push({ messageId: node.id, excerpt: excerptAt(said, at), onPath: onPath.has(node.id) });
  }
  return { hits, complete: true };
}
