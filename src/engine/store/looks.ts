import * as v from 'valibot';
import {
  packFolders,
  parseFolders,
  type LookKeeper,
  type SavedFolder,
  type SavedLook,
} from '../capture/savedLook';
import type { NodeId } from '../../core/ids';
import type { StoreContext } from './damage';
import { unwrap, wrap } from './envelope';
import { child, deleteIfThere, listFiles, readIfThere } from './names';
import { quietly, told } from './storageError';

const lookName = 'look.json';
const toldName = /^told-\d+\.json$/u;
const toldSchema = v.object({ uri: v.string() });

/**
 * How the workspace looked before the command that runs now, of each running turn: in a folder that is there just as long
 * as the command is.
 */
export class Looks {
  /** Turns that have, or may have, a folder, and how much somebody else wrote meanwhile. */
  readonly #there = new Map<NodeId, number>();

  constructor(
    private readonly context: StoreContext,
    private readonly id: string,
  ) {}

  /** What one turn keeps here, after its own changes are on disk: a look is compared with what was there by then. */
  keeper(nodeId: NodeId, turn: { saved(): Promise<void> }): LookKeeper {
    const { log } = this.context;
    return {
      save: async (folders) => {
        await told('begin a command', async () => {
          await turn.saved();
          await this.save(nodeId, folders);
        });
      },
      tell: async (uri) => {
        await quietly(log, 'look', () => this.tell(nodeId, uri));
      },
      drop: async () => {
        await quietly(log, 'look', () => this.drop(nodeId));
      },
    };
  }

  async save(nodeId: NodeId, folders: readonly SavedFolder[]): Promise<void> {
    this.#there.set(nodeId, 0);
    await this.#write(nodeId, lookName, packFolders(folders));
  }

  async tell(nodeId: NodeId, uri: string): Promise<void> {
    const told = this.#there.get(nodeId);
    if (told === undefined) return;
    this.#there.set(nodeId, told + 1);
    await this.#write(nodeId, `told-${told + 1}.json`, { uri });
  }

  /** Returns the look of a command that was cut off. One that is not whole was not relied on: the command had not begun. */
  async read(nodeId: NodeId): Promise<SavedLook | undefined> {
    const names = await listFiles(this.context.files, this.#folder(nodeId));
    if (names.length > 0) this.#there.set(nodeId, names.length);
    const folders = names.includes(lookName)
      ? parseFolders(await this.#read(nodeId, lookName))
      : undefined;
    if (folders === undefined) return undefined;
    const told = new Set<string>();
    for (const name of names.filter((each) => toldName.test(each))) {
      const parsed = v.safeParse(toldSchema, await this.#read(nodeId, name));
      if (parsed.success) told.add(parsed.output.uri);
    }
    return { folders, told };
  }

  async drop(nodeId: NodeId): Promise<void> {
    if (!this.#there.has(nodeId)) return;
    await deleteIfThere(this.context.files, this.#folder(nodeId), true);
    this.#there.delete(nodeId);
  }

  async #write(nodeId: NodeId, name: string, content: unknown): Promise<void> {
    await this.context.assertWritable();
    const stamp = { seq: 1, writer: this.context.writer };
    const uri = child(this.#folder(nodeId), name);
    await this.context.files.write(uri, wrap(stamp, JSON.stringify(content)));
  }

  async #read(nodeId: NodeId, name: string): Promise<unknown> {
    const bytes = await readIfThere(this.context.files, child(this.#folder(nodeId), name));
    const opened = bytes === undefined ? undefined : unwrap(bytes);
    return opened?.ok === true ? opened.value : undefined;
  }

  #folder(nodeId: NodeId): string {
    return this.context.paths.look(this.id, nodeId);
  }
}
