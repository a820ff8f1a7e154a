import { findInSession, type MessageHits } from '../../engine/findInSession';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';

/** `retrace.find`: looks for a text in a session; without one the field for it is opened in the chat. */
export async function find(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string } & Partial<MessageHits>> {
  const { sessionId, text, everywhere = false } = parseArgument(schemas.find, raw);
  const { session } = await target(host, sessionId);
  if (text !== undefined)
    return { sessionId: session.id, ...findInSession(session.state, text, everywhere) };
  await host.reveal(session, 'find');
  return { sessionId: session.id };
}
