import { FileTracker } from './fileTracker';
import { LiveReply } from './liveReply';
import type { OpenSession } from './openSession';
import type { StoredLive } from './store/documents';
import { keepAll } from './turnCopies';
import type { TurnPorts } from './turnRunner';

/** Finishes a reply that a crash cut off: what its last write came to is recorded, and it is marked interrupted. */
export async function recoverReply(
  ports: TurnPorts,
  session: OpenSession,
  live: StoredLive,
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
    await recordCutOff(ports, session, turn, tracker, live.savedAt);
    await turn.finish({ status: 'interrupted', sent: true }, true);
    // Where the session went on since, the reply is a branch beside what followed.
    if (before.head !== live.node.parentId)
      await session.setHead([{ type: 'standing', standing: before }]);
  });
}

/** So long after its last sign of life a process's commands have ended with it, in milliseconds. */
const commandsEnd = 5_000;

const notFound =
  'The editor ended while this ran, and it was ended too. What it changed until then could not be found out and cannot be taken back.';

/** Records what a command changed that ended with the process that ran it; where that cannot be found out, its call says so. */
async function recordCutOff(
  ports: TurnPorts,
  session: OpenSession,
  turn: LiveReply,
  tracker: FileTracker,
  savedAt: number,
): Promise<void> {
  const looks = ports.store.looks(session.id);
  const look = await looks.read(turn.id);
  if (look === undefined) return;
  try {
    const watcher = ports.commands?.watcherOf(session, tracker, looks.keeper(turn.id, turn));
    if (watcher === undefined) throw new Error('nothing watches this workspace');
    await watcher.resume(look, savedAt + commandsEnd);
  } catch (error) {
    ports.log.warn('What a command changed that was cut off could not be recorded', error);
    turn.tellOfRunning(notFound);
  }
}
