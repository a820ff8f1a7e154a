import type { NodeId } from '../core/ids';
import type { Draft } from '../core/node';
import { isEmptyDraft } from './drafts';
import { RetraceError } from './errors';
import type { OpenSession } from './openSession';
import type { Log } from './ports';
import type { QueuedMessage } from './store/documents';

export interface MessageQueuePorts {
  readonly newId: () => string;
  readonly log: Log;
  /** Sends a message; resolves once it is taken, rejects when it was not. */
  readonly send: (session: OpenSession, draft: Draft) => Promise<void>;
  /** Stops the running turn and resolves when it has settled. */
  readonly stop: (session: OpenSession) => Promise<void>;
  /** Tells the user what went wrong with a message that waited. */
  readonly failed: (session: OpenSession, error: unknown) => void;
}

/**
 * Messages written while a turn runs. The first one is sent when the turn has ended well; after anything else (Stop, a
 * failed turn, a move) they are in the composer again, and never go out by themselves.
 */
export class MessageQueue {
  readonly #watched = new WeakSet<OpenSession>();
  /** Messages on their way out that are still on disk as waiting. */
  readonly #sent = new WeakSet<QueuedMessage>();

  constructor(private readonly ports: MessageQueuePorts) {}

  /** Has a message wait for the running turn; where none runs any more it is sent at once. */
  async add(session: OpenSession, draft: Draft): Promise<void> {
    if (isEmptyDraft(draft))
      throw new RetraceError('invalid', 'There is nothing to send: type a message first.');
    if (session.running === undefined) {
      await this.ports.send(session, draft);
      return;
    }
    this.#watch(session);
    await session.setQueued([...session.queued, { id: this.ports.newId(), draft }]);
  }

  /** Forgets a message that waits. */
  async drop(session: OpenSession, id: string): Promise<void> {
    await this.#take(session, id);
  }

  /** Puts a message that waits back into the composer. */
  async edit(session: OpenSession, id: string): Promise<void> {
    await session.returnDraft(await this.#take(session, id));
  }

  /** Stops the running turn and sends a message that waits; the others go back into the composer. */
  async sendNow(session: OpenSession, id: string): Promise<void> {
    const draft = await this.#take(session, id);
    try {
      await this.ports.stop(session);
      await this.ports.send(session, draft);
    } catch (error) {
      await session.returnDraft(draft);
      throw error;
    }
  }

  async #take(session: OpenSession, id: string): Promise<Draft> {
    const found = session.queued.find((one) => one.id === id);
    if (found === undefined)
      throw new RetraceError(
        'not_found',
        'This message waits no longer: it was sent or taken back.',
      );
    await session.setQueued(session.queued.filter((one) => one !== found));
    return found.draft;
  }

  #watch(session: OpenSession): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    let running: NodeId | undefined = session.running?.nodeId;
    session.events.on(() => {
      const now = session.running?.nodeId;
      const ended = now === undefined ? running : undefined;
      running = now;
      if (ended !== undefined) void this.#goOn(session, ended);
    });
  }

  async #goOn(session: OpenSession, ended: NodeId): Promise<void> {
    const first = session.queued.find((one) => !this.#sent.has(one));
    if (first === undefined) return;
    const reply = session.state.nodes.get(ended);
    const well =
      reply?.role === 'assistant' && reply.status === 'done' && session.standing.head === ended;
    try {
      if (well) await this.#send(session, first);
      else await session.takeBackQueued();
    } catch (error) {
      this.ports.log.warn('Messages that waited could not be dealt with', error);
      this.ports.failed(session, error);
    }
  }

  /** The message waits on disk until it is one of the conversation. */
  async #send(session: OpenSession, first: QueuedMessage): Promise<void> {
    this.#sent.add(first);
    try {
      await this.ports.send(session, first.draft);
    } catch (error) {
      this.#sent.delete(first);
      await session.takeBackQueued();
      throw error;
    }
    await session.setQueued(session.queued.filter((one) => one !== first));
  }
}
