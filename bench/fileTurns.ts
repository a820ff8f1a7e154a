import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Blobs } from '../src/engine/blobs.ts';
import type { OpenSession } from '../src/engine/openSession.ts';
import type { AgentTurn, FileSystem } from '../src/engine/ports.ts';
import { FilesHub, SessionFiles } from '../src/host/files/workspaceFiles.ts';
import { hostRuntime } from '../src/host/runtime.ts';
import { createDigests, createNodePowers } from '../src/node/main.ts';
import { NodeFileSystem } from '../test/fakes/nodeFileSystem.ts';
import { FakeLog } from '../test/fakes/runtime.ts';
import { memoryEngine } from '../test/kit/memoryEngine.ts';

const runtime = { ...hostRuntime, ...createDigests() };

/** One edit of a turn: the file below the project and all it is to hold. */
export interface Edit {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a turn does with its files beside reading them. */
export type How = 'edit' | 'write bare' | 'only read';

/** The product's engine, store and file service over a file system, and a session to run turns in. */
export interface FileTurns {
  readonly session: OpenSession;
  /**
   * Sends a message whose turn reads and then edits each file, one after the other, as an agent does. Bare, the files are
   * written behind the product's back: the same turn without checkpoints.
   */
  turn(edits: readonly Edit[], how?: How): Promise<void>;
  /** Takes the last turn back, files and all. */
  rewind(): Promise<void>;
  /** Puts copies into the store as it has them after some weeks: nearly every folder of them is there. */
  fill(): Promise<void>;
  /** Resolves when what goes on behind the turns is done. */
  settled(): Promise<void>;
}

/** Opens a store under `home` and a new session over the folder `project`. */
export async function openFileTurns(
  project: string,
  home: string,
  files: FileSystem = new NodeFileSystem(),
): Promise<FileTurns> {
  const root = pathToFileURL(join(home, 'store')).href;
  const folder = { id: 'f0', uri: pathToFileURL(project).href, name: 'w' };
  const log = new FakeLog();
  const hub = new FilesHub({ files, runtime, powers: createNodePowers() });
  const scripts: Record<string, (turn: AgentTurn) => Promise<undefined>> = {};
  const blobs = new Blobs(root, { files, runtime, log });
  const engine = await memoryEngine(
    {
      disk: files,
      workspace: new SessionFiles(hub, () => [folder]),
      blobs,
      ...{ root, folder: folder.uri, runtime },
    },
    scripts,
  );
  const session = await engine.sessions.create();
  let sent = 0;
  const run = async (edits: readonly Edit[], how: How = 'edit'): Promise<void> => {
    const text = `turn ${++sent}`;
    scripts[text] = async ({ workspace: tools }) => {
      for (const { path, bytes } of edits) {
        const file = await tools.resolve(path);
        await tools.read(file);
        if (how === 'edit') await tools.write(file, bytes);
        if (how === 'write bare') await files.write(`${folder.uri}/${path}`, bytes);
      }
      return undefined;
    };
    const { status } = await engine.retrace.send(session, { text, attachments: [] });
    const [faults] = log.lines;
    if (status !== 'done' || faults !== undefined) throw new Error(faults ?? `A turn ${status}.`);
  };
  return {
    session,
    turn: run,
    async rewind() {
      const [last] = engine.retrace.rewindPoints(session);
      if (last === undefined) throw new Error('There is nothing to rewind.');
      const { move } = await engine.retrace.move(
        session,
        { verb: 'rewind', messageId: last.messageId, scope: 'both' },
        'ask',
      );
      if (move.results?.some(({ outcome }) => outcome !== 'restored') !== false)
        throw new Error(`A rewind went wrong: ${JSON.stringify(move.results?.slice(0, 3))}`);
    },
    async fill() {
      for (let n = 0; n < 1_500; n += 1) await blobs.put(new TextEncoder().encode(`copy ${n}`));
    },
    async settled() {
      await engine.sessions.flush();
      await engine.store.copied(session.id);
    },
  };
}
