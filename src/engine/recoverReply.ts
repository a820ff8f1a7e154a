import { FileTracker } from './fileTracker';
import { LiveReply } from './liveReply';
import type { OpenSession } from './openSession';
import type { LiveTurn } from './store/documents';
import { keepAll } from './turnCopies';
import type { TurnPorts } from './turnRunner';

/** Finishes a reply that a crash cut off: what its last write came to is recorded, and it is marked interrupted. */
export async function recoverReply(
  ports: TurnPorts,
  session: OpenSession,
  live: LiveTurn,
): Promise<void> {
  const before = session.standing;
  const turn = LiveReply.revive(session, live, ports);
  const files = ports.filesOf(session);
  const tracker = new FileTracker(
    session.state,
    files,
    keepAll(ports.blobs),
    ports.locks,
    turn,
    turn.filesFrom,
  );
  await ports.blobs.use(async () => {
    await tracker.settlePending();
    await turn.finish({ status: 'interrupted', sent: true }, true);
    // Where the session went on since, the reply is a branch beside what followed.
    if (before.head !== live.node.parentId)
      await session.setHead([{ type: 'standing', standing: before }]);
  });
}
