import type { AssistantNode, Part } from '../../core/node';
import type { ViewOp } from '../../protocol/messages';

/**
 * Returns what was added to a running reply, or undefined where something else than the end of a text changed and the
 * whole reply has to be told again.
 */
export function replyOps(
  before: AssistantNode | undefined,
  now: AssistantNode,
): ViewOp[] | undefined {
  if (before?.id !== now.id || before.changes !== now.changes || before.status !== now.status)
    return undefined;
  if (now.parts.length < before.parts.length) return undefined;
  const ops: ViewOp[] = [];
  for (const [index, part] of now.parts.entries()) {
    const old = before.parts[index];
    if (old === part) continue;
    const text = added(old, part);
    if (text === undefined) return undefined;
    if (text !== '') ops.push({ op: 'appendText', messageId: now.id, part: index, text });
  }
  return ops;
}

function added(old: Part | undefined, part: Part): string | undefined {
  if (old === undefined) return part.type === 'text' && part.text !== '' ? part.text : undefined;
  if (part.type !== 'text' && part.type !== 'reasoning') return undefined;
  if (old.type !== part.type || !part.text.startsWith(old.text)) return undefined;
  return part.text.slice(old.text.length);
}
