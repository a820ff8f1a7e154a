import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';

/** `retrace.showGraph`: the picture of a session, which becomes the window's current one. */
export async function showGraph(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string }> {
  const { sessionId } = parseArgument(schemas.session, raw);
  const { engine, session } = await target(host, sessionId);
  await engine.current.set(session.id);
  host.showGraph();
  return { sessionId: session.id };
}
