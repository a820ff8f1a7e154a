import { keyUri, uriKey, type FileKey } from '../../core/fileKey';
import { RetraceError } from '../../engine/errors';
import type { MoveRequest } from '../../engine/movePlan';
import type { OpenSession } from '../../engine/openSession';
import { filesAway } from './presentFiles';

/** Returns the move that brings files to where the conversation is. Throws `nothing_to_do`. */
export function bringHereRequest(
  session: OpenSession,
  uris: readonly string[] | undefined,
): MoveRequest {
  if (uris !== undefined) {
    return { verb: 'files', scope: 'files', only: uris.map((uri) => keyOf(session, uri)) };
  }
  if (filesAway(session)) return allFiles(session);
  if (session.apartFiles.length === 0)
    throw new RetraceError('nothing_to_do', 'The files are here already.');
  return { verb: 'files', scope: 'files' };
}

/** A file that stands apart is known by its key, also where the window lost the folder it lies in. */
function keyOf({ info, apartFiles }: OpenSession, uri: string): FileKey {
  return (
    apartFiles.find((file) => (keyUri(info.folders, file) ?? file) === uri) ??
    uriKey(info.folders, uri)
  );
}

function allFiles({ state, standing }: OpenSession): MoveRequest {
  if (standing.head !== null) return { verb: 'checkout', messageId: standing.head, scope: 'files' };
  // The start is no message, so it is reached as what lay on disk when a first message was sent.
  const first = (state.children.get(null) ?? []).find(
    (id) => state.nodes.get(id)?.role === 'user' && state.nodes.get(id)?.filesFrom === null,
  );
  if (first === undefined)
    throw new RetraceError(
      'nothing_to_do',
      'No file state is known from before the first message.',
    );
  return { verb: 'rewind', messageId: first, scope: 'files' };
}
