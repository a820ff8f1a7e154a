import type { ChangeLink } from '../../core/changes';
import { keyBelow } from '../../core/fileKey';
import type { SessionInfo, SessionRecord } from '../../core/session';
import type { SavedLook } from '../capture/savedLook';
import type { Backups } from './backups';
import type { StoreContext } from './damage';
import { infoOf, type Hold, type StoredLive } from './documents';
import { isSafeId, listFolders } from './names';
import { mapBounded } from './parallel';
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
  /** What files held before commands that run, or were cut off. */
  readonly looked: readonly ChangeLink[];
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
  const info = infoOf(id, records);
  const looks = await mapBounded(lives, ({ node }) => session.looks.read(node.id));
  const looked = looks.flatMap((look) => (look === undefined ? [] : linksOf(look, info)));
  const deletedAt = isDeleted ? await trash.deletedAt(id) : undefined;
  const damage = [...scan.damage, ...session.takeDamage()];
  return {
    ...{ info, records, looked, live: lives },
    ...(deletedAt !== undefined && { deletedAt }),
    whole: damage.every(({ recovered }) => recovered === true),
    others: [...lives, ...holds].filter((one) => one.writer !== context.writer),
  };
}

function linksOf({ folders }: SavedLook, info: SessionInfo): ChangeLink[] {
  return folders.flatMap(({ folder, states }) =>
    [...states].map(([path, state]): ChangeLink => {
      const file = keyBelow(info.folders, folder, path);
      return { type: 'change', file, before: state, after: state, by: 'command' };
    }),
  );
}
