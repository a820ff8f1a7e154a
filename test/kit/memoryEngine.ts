import type { Mode } from '../../src/core/mode';
import type {
  AgentFile,
  AgentOutcome,
  AgentTurn,
  Agent,
  BlobStore,
  FileSystem,
  OutsideTool,
  Runtime,
  WorkspaceFiles,
} from '../../src/engine/ports';
import { Approvals } from '../../src/engine/approvals';
import { AttachedFiles } from '../../src/engine/attachedFiles';
import { RetraceError } from '../../src/engine/errors';
import { Locks } from '../../src/engine/locks';
import { Mover } from '../../src/engine/mover';
import { Retrace } from '../../src/engine/retrace';
import { Sessions } from '../../src/engine/sessions';
import { Sheets } from '../../src/engine/sheets';
import { SessionStore } from '../../src/engine/store/sessionStore';
import type { Room } from '../../src/engine/turnCopies';
import { TurnRunner, type ChosenModel, type CommandPower } from '../../src/engine/turnRunner';
import { MemoryFileSystem } from '../fakes/memoryFileSystem';
import { FakeLog, FakeRuntime } from '../fakes/runtime';
import { MemoryBlobs, MemoryWorkspace } from './memoryWorkspace';

/** What the scripted agent does for one message. */
export type Script = (
  turn: AgentTurn,
  say: (text: string) => void,
) => Promise<AgentOutcome | undefined>;

/** What an engine stands on. */
export interface EngineParts {
  readonly disk: FileSystem;
  readonly workspace: WorkspaceFiles;
  readonly blobs: BlobStore;
  /** Where the store is, and the one folder of the workspace. */
  readonly root?: string;
  readonly folder?: string;
  readonly runtime?: Runtime;
  readonly commands?: CommandPower;
  readonly mode?: Mode;
  /** Endless where none is given. */
  readonly room?: (store: SessionStore) => Room;
  readonly outsideTools?: readonly OutsideTool[];
  /** One that follows the scripts where none is given. */
  readonly agent?: Agent;
  readonly model?: ChosenModel;
  /** How long another window's work may be silent, in milliseconds; short, for a window that is gone is the common test. */
  readonly staleAfter?: number;
}

const endless: Room = {
  fits: () => true,
  makeRoom: async () => true,
  onChange: () => () => undefined,
  figure: () => '',
};

/** What a window is made of when everything lives in memory; opening another one on the same disk is a restart. */
export interface Memory extends EngineParts {
  readonly disk: MemoryFileSystem;
  readonly workspace: MemoryWorkspace;
  readonly blobs: MemoryBlobs;
}

export function newMemory(): Memory {
  return {
    disk: new MemoryFileSystem(),
    workspace: new MemoryWorkspace(),
    blobs: new MemoryBlobs(),
  };
}

const noNetwork = (): Promise<never> => Promise.reject(new Error('no network'));

/** Builds the whole engine, over memory as a rule, with an agent that follows `scripts` by the text of the message. */
export async function memoryEngine(
  parts: EngineParts,
  scripts: Readonly<Record<string, Script>>,
  name = 'w',
) {
  const { disk, workspace, blobs, root = 'memory:/store', folder = 'file:///w' } = parts;
  const runtime = parts.runtime ?? new FakeRuntime(name);
  const log = new FakeLog();
  const store = await SessionStore.open(root, { files: disk, runtime, log });
  const requests: AgentTurn[] = [];
  const agent: Agent = {
    async run(turn) {
      requests.push(turn);
      const user = turn.history.at(-1);
      const script = user?.role === 'user' ? scripts[user.text] : undefined;
      let said = 0;
      const outcome = await script?.(turn, (text) =>
        turn.sink.setPart(said++, { type: 'text', text }),
      );
      return outcome ?? { status: turn.signal.aborted ? 'interrupted' : 'done', sent: true };
    },
    summarise: async ({ nodes }) => ({ text: `summary of ${nodes.length}` }),
  };
  const locks = new Locks();
  const filesOf = (): WorkspaceFiles => workspace;
  const approvals = new Approvals(
    runtime,
    { has: () => false, add: async () => undefined },
    () => 'allow',
  );
  const turns = new TurnRunner({
    store,
    blobs,
    locks,
    runtime,
    log,
    approvals,
    agent: async () => parts.agent ?? agent,
    filesOf,
    leaves: async () => false,
    realPath: async () => undefined,
    finderOf: () => ({
      list: async () => ({ entries: [], truncated: false }),
      search: async () => ({ hits: [], truncated: false }),
    }),
    attached: new AttachedFiles({ read: async () => undefined, leaves: async () => false }),
    fetch: parts.agent === undefined ? noNetwork : globalThis.fetch,
    instructions: async () => '',
    callLimit: () => 50,
    room: parts.room?.(store) ?? endless,
    texts: { cleaningUp: () => 'cleaning up', savesFirst: (names) => `saves ${names}` },
    outsideTools: () => parts.outsideTools ?? [],
    problems: async () => [],
    unwatched: () => 'nothing watches',
    modeOf: () => parts.mode ?? 'agent',
    commands: parts.commands,
  });
  const told: string[] = [];
  const sessions: Sessions = new Sessions({
    store,
    blobs,
    runtime,
    log,
    filesOf,
    turns: () => turns,
    folders: () => [{ uri: folder, name: 'w' }],
    newTitle: 'New Session',
    staleAfter: parts.staleAfter ?? 20,
    told: (_, text) => void told.push(text),
    texts: {
      damaged: (count) => `damaged ${count}`,
      finishedMove: (failed) => `finished ${failed.join()}`,
      unreachable: (count, beginnings) => `unreachable ${count}: ${beginnings.join()}`,
      headLost: () => 'head lost',
      twice: (count) => `twice ${count}`,
      replyAlone: () => 'reply alone',
    },
  });
  const mover = new Mover(blobs, locks, runtime, log);
  const retrace = new Retrace({
    sessions,
    mover,
    turns,
    runtime,
    log,
    filesOf,
    model: async (id = 'm') => {
      if (id === 'missing') throw new RetraceError('not_found', 'There is no model of that name.');
      return parts.model ?? { config: { id, provider: 'practice', model: id } };
    },
    requireTrust: () => undefined,
  });
  const sheets = new Sheets(retrace, { allowed: () => false, allow: async () => undefined });
  return { retrace, sessions, sheets, store, turns, requests, told, log, approvals };
}

/** Writes a file as the agent does. */
export async function write(turn: AgentTurn, path: string, text: string): Promise<undefined> {
  const file: AgentFile = await turn.workspace.resolve(path);
  await turn.workspace.read(file);
  await turn.workspace.write(file, new TextEncoder().encode(text));
}
