import * as vscode from 'vscode';
import { nodeText, type Part } from '../../core/node';
import { RetraceError } from '../../engine/errors';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';

/** `retrace.copyMessage`: a message's text, or what a reply says, onto the clipboard. */
export async function copyMessage(host: CommandHost, raw: unknown): Promise<{ text: string }> {
  const { sessionId, messageId } = parseArgument(schemas.copyMessage, raw);
  const { session } = await target(host, sessionId);
  const node = session.state.nodes.get(messageId);
  if (node === undefined || node.role === 'files') {
    throw new RetraceError('not_found', 'There is no message {0} in this session.', [messageId]);
  }
  const text = node.role === 'assistant' ? paragraphs(node.parts) : nodeText(node);
  await vscode.env.clipboard.writeText(text);
  return { text };
}

function paragraphs(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n');
}
