import { ancestors } from '../core/graph';
import { refusedTokens, repliesTo } from '../core/refusedTokens';
import type { NodeId } from '../core/ids';
import type { Mode } from '../core/mode';
import type { Draft, SummaryNode, UserNode } from '../core/node';
import { AgentCommands, type CommandWatcher } from './agentCommands';
import { AgentFiles, type FindProblems, type WorkspaceFinder } from './agentFiles';
import type { Approvals } from './approvals';
import type { AttachedFiles } from './attachedFiles';
import type { LookKeeper } from './capture/savedLook';
import type { Shell } from './commands';
import { errorText } from './errors';
import { FileTracker } from './fileTracker';
import { leftUnsaved } from './leftUnsaved';
import type { Locks } from './locks';
import type { OpenSession } from './openSession';
import { ToolError } from './ports';
import type {
  BlobStore,
  CopyKeeper,
  Agent,
  AgentOutcome,
  Log,
  ModelConfig,
  OutsideTool,
  Runtime,
  WorkspaceFiles,
} from './ports';
import { recoverReply } from './recoverReply';
import { LiveReply, type LiveLog, type TurnResult } from './liveReply';
import type { StoredLive } from './store/documents';
import { summarise } from './summaries';
import { StoppingCopies, TurnCopies, type Room } from './turnCopies';

/** A model ready to be asked. */
export interface ChosenModel {
  readonly config: ModelConfig;
  readonly apiKey?: string;
}

export interface TurnPorts {
  readonly store: LiveLog;
  readonly blobs: BlobStore;
  readonly locks: Locks;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly approvals: Approvals;
  /** Loaded at the first turn, not before. */
  readonly agent: () => Promise<Agent>;
  readonly filesOf: (session: OpenSession) => WorkspaceFiles;
  readonly finderOf: (session: OpenSession) => WorkspaceFinder;
  /** Says whether a path inside a folder leads out of it through a link. */
  readonly leaves: (uri: string) => Promise<boolean>;
  /** Returns the path below a folder that a URI really leads to, links followed, where that can be seen. */
  readonly realPath: (uri: string) => Promise<string | undefined>;
  readonly attached: AttachedFiles;
  readonly fetch: typeof fetch;
  /** How far the agent may go in a session now. */
  readonly modeOf: (session: OpenSession) => Mode;
  /** After so many calls of the model a turn asks before it goes on; 0 never asks. */
  readonly callLimit: () => number;
  readonly instructions: (session: OpenSession) => Promise<string>;
  readonly texts: {
    /** Another window removes stored copies; the turn waits for it. */
    readonly cleaningUp: () => string;
    /** Files are saved before a command runs. */
    readonly savesFirst: (names: string) => string;
  };
  /** How much room there is for copies. */
  readonly room: Room;
  /** Tools of others that are switched on. */
  readonly outsideTools: () => readonly OutsideTool[];
  readonly problems: FindProblems;
  /** Says that what a tool changes cannot be taken back here. */
  readonly unwatched: () => string;
  /** Missing where the host has no processes. */
  readonly commands?: CommandPower | undefined;
}

/** What running commands takes. */
export interface CommandPower {
  readonly shell: Shell;
  readonly watcherOf: (
    session: OpenSession,
    tracker: FileTracker,
    keeper: LookKeeper,
  ) => CommandWatcher;
}

/** Runs turns: a user's message and the one reply that answers it. */
export class TurnRunner {
  private readonly unfinished = new WeakMap<
    OpenSession,
    { readonly nodeId: NodeId; readonly finish: () => Promise<TurnResult> }
  >();

  constructor(private readonly ports: TurnPorts) {}

  /** Puts a message under the head. It is on disk before anything is sent. */
  async addMessage(session: OpenSession, parentId: NodeId | null, draft: Draft): Promise<UserNode> {
    const { filesHead, apart } = session.standing;
    const node: UserNode = {
      role: 'user',
      id: this.ports.runtime.newId(),
      parentId,
      filesFrom: filesHead,
      createdAt: this.ports.runtime.now(),
      order: session.state.nextOrder(parentId),
      text: draft.text,
      attachments: draft.attachments,
    };
    await session.setHead([
      { type: 'node', node, standing: { head: node.id, filesHead: node.id, apart } },
    ]);
    return node;
  }

  /**
   * Answers a message. `keepUnsent` says whether a reply that never left stays as a failed one; without it there is no
   * node, and the head goes back to the message.
   */
  async answer(
    session: OpenSession,
    user: UserNode,
    model: ChosenModel,
    keepUnsent: boolean,
  ): Promise<TurnResult> {
    session.refuseWhileRunning();
    const controller = new AbortController();
    const turn = new LiveReply(session, user, model.config.id, this.ports);
    let settle: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    session.running = { nodeId: turn.id, controller, settled };
    try {
      return await this.begin(session, turn, () =>
        this.runToEnd(session, turn, model, controller, keepUnsent),
      );
    } finally {
      session.running = undefined;
      session.setWaiting(undefined);
      session.events.fire({ type: 'changed' });
      settle();
    }
  }

  private async runToEnd(
    session: OpenSession,
    turn: LiveReply,
    model: ChosenModel,
    controller: AbortController,
    keepUnsent: boolean,
  ): Promise<TurnResult> {
    session.setWaiting(undefined);
    const outcome = await this.run(session, turn, model, controller);
    const finish = (): Promise<TurnResult> => turn.finish(outcome, keepUnsent);
    this.unfinished.set(session, { nodeId: turn.id, finish });
    const result = await finish();
    this.unfinished.delete(session);
    return result;
  }

  private async run(
    session: OpenSession,
    turn: LiveReply,
    model: ChosenModel,
    controller: AbortController,
  ): Promise<AgentOutcome> {
    const { ports } = this;
    const { signal } = controller;
    const copies = new StoppingCopies(this.copiesOf(session, signal), controller);
    const mode = ports.modeOf(session);
    const files = ports.filesOf(session);
    const tracker = new FileTracker(
      session.state,
      files,
      copies,
      ports.locks,
      turn,
      turn.filesFrom,
    );
    const commands = new AgentCommands({
      ...(ports.commands && {
        shell: ports.commands.shell,
        watcher: ports.commands.watcherOf(
          session,
          tracker,
          ports.store.looks(session.id).keeper(turn.id, turn),
        ),
      }),
      unwatched: ports.unwatched(),
      folders: () => session.info.folders,
      files,
      signal,
      leftUnsaved: () => leftUnsaved(files, turn.changes.links),
      savesFirst: (names) => ports.texts.savesFirst(names),
      ask: (kind, detail, note, asIs) =>
        ports.approvals.answerTo(session.id, kind, detail, signal, { note, asIs }),
    });
    try {
      const agent = await ports.agent();
      const { nodes, children } = session.state;
      const history = ancestors(nodes, turn.userId);
      const refused = refusedTokens(history, repliesTo(nodes, children, turn.userId), model.config);
      const outcome = await agent.run({
        history,
        ...(refused !== undefined && { refusedTokens: refused }),
        model: model.config,
        mode,
        ...(model.apiKey !== undefined && { apiKey: model.apiKey }),
        instructions: await ports.instructions(session),
        workspace: new AgentFiles({
          session: session.state,
          mode,
          nodeId: turn.id,
          files,
          tracker,
          finder: ports.finderOf(session),
          leaves: ports.leaves,
          realPath: ports.realPath,
          problems: ports.problems,
          commands,
          signal,
          ask: (kind, detail, always) =>
            ports.approvals.ask(session.id, kind, detail, signal, always),
          seen: turn.seen,
        }),
        attachment: ports.attached.reader(session, (detail) =>
          ports.approvals.ask(session.id, 'outside', detail, signal),
        ),
        outsideTools: ports.outsideTools().map((tool) => ({
          ...tool,
          call: (input) => {
            if (mode !== 'agent')
              throw new ToolError(`The mode "${mode}" allows no such tool.`, true);
            return commands.use(tool, input);
          },
        })),
        fetch: ports.fetch,
        callLimit: ports.callLimit(),
        waited: () => ports.approvals.waited(session.id),
        goOn: (calls) => ports.approvals.ask(session.id, 'continue', String(calls), signal, true),
        signal,
        sink: {
          setPart: (index, part) => turn.setPart(index, part),
          waiting: (text) => session.setWaiting(text),
        },
      });
      return copies.failure === undefined
        ? outcome
        : { ...outcome, sent: true, status: 'failed', error: copies.failure };
    } catch (error) {
      ports.log.error('The agent failed', error);
      return { status: 'failed', sent: true, error: { code: 'model', message: errorText(error) } };
    } finally {
      await commands
        .close()
        .catch((error: unknown) => ports.log.error('A command could not be ended', error));
      await tracker.close(signal);
    }
  }

  /** Puts a summary of older turns under the head, see {@link summarise}. */
  summarise(session: OpenSession, model: ChosenModel): Promise<SummaryNode> {
    return summarise(session, model, this.ports);
  }

  private copiesOf(session: OpenSession, signal: AbortSignal): CopyKeeper {
    const { blobs, room, approvals } = this.ports;
    const ask = (figure: string, until: AbortSignal): Promise<boolean> =>
      approvals.ask(session.id, 'storage', figure, until, true);
    return new TurnCopies(blobs, room, ask, signal);
  }

  /** Stores a reply that could not be stored when it ended. Nothing may follow it before it is on disk. */
  async finishUnfinished(session: OpenSession): Promise<void> {
    const left = this.unfinished.get(session);
    if (left === undefined || session.running !== undefined) return;
    const node = session.state.nodes.get(left.nodeId);
    if (node?.role === 'assistant' && node.status === 'running') await left.finish();
    this.unfinished.delete(session);
  }

  /** A reply that cannot be kept while it is written does not begin: nothing may follow what is on no disk. */
  private async begin(
    session: OpenSession,
    turn: LiveReply,
    run: () => Promise<TurnResult>,
  ): Promise<TurnResult> {
    const { standing } = session;
    const begun = { running: false };
    try {
      await turn.begin();
      return await this.ports.blobs.use(
        () => {
          begun.running = true;
          return run();
        },
        () => session.setWaiting(this.ports.texts.cleaningUp()),
      );
    } catch (error) {
      if (begun.running) throw error;
      await turn.giveUp();
      session.state.dropRunning(turn.id, standing);
      // Half of it may be there, and must not come back as a reply at the next start.
      await this.ports.store
        .clearLive(session.id, turn.id)
        .catch((left: unknown) =>
          this.ports.log.warn('A reply that did not begin is left over', left),
        );
      throw error;
    }
  }

  /** Stops the running turn and resolves when it has settled. */
  async stop(session: OpenSession): Promise<void> {
    const { running } = session;
    if (running === undefined) return;
    running.controller.abort();
    await running.settled;
  }

  /** Finishes a reply that a crash cut off: what its last write came to is recorded, and it is marked interrupted. */
  async recover(session: OpenSession, live: StoredLive): Promise<void> {
    await recoverReply(this.ports, session, live);
  }
}
