import type { SessionInfo, SessionRecord } from '../../core/session';
import type { Backups } from './backups';
import type { StoreContext } from './damage';
import { infoOf, type Hold, type StoredLive } from './documents';
import { isSafeId, listFolders } from './names';
import { RecordLog } from './recordLog';
import { SessionFiles } from './sessionFiles';
import { told } from './storageError';
import type { Trash } from './trash';

/** A session as it lies on disk, with everything that could still be made of it. */
export interface StoredWhole {
  readonly info: SessionInfo;
  /** Second copies too. */
  readonly records: readonly SessionRecord[];
  readonly live: readonly StoredLive[];
  /** When it was deleted, if it was. */
  readonly deletedAt?: number;
  /** False where some of it could not be read: what is missing is not known. */
  readonly whole: boolean;
  /** What other processes said last of being at work in it. */
  readonly others: readonly Hold[];
}

interface Everything {
  readonly context: StoreContext;
  readonly backups: Backups;
  readonly trash: Trash;
}

/** Reads every session there is, deleted ones too, one after the other. */
export async function* readEverything(store: Everything): AsyncGenerator<StoredWhole> {
  const { files, paths } = store.context;
  const [ids, deleted] = await told('look through the sessions', () =>
    Promise.all([listFolders(files, paths.sessions), store.trash.ids()]),
  );
  for (const id of ids.filter(isSafeId))
    yield await told('look through the sessions', () => readWhole(store, id, deleted.has(id)));
}

async function readWhole(
  { context, backups, trash }: Everything,
  id: string,
  isDeleted: boolean,
): Promise<StoredWhole> {
  const scan = await new RecordLog(context, id, () => backups.copies(id)).load();
  const session = new SessionFiles(context, id);
  const { lives, holds } = await session.atWork();
  const copies = await backups.copies(id);
  const records = [...scan.records, ...copies].map((each) => each.record);
  const deletedAt = isDeleted ? await trash.deletedAt(id) : undefined;
  const damage = [...scan.damage, ...session.takeDamage()];
  return {
    info: infoOf(id, records),
    records,
    live: lives,
    ...(deletedAt !== undefined && { deletedAt }),
    whole: damage.every(({ recovered }) => recovered === true),
    others: [...lives, ...holds].filter((one) => one.writer !== context.writer),
  };
}
