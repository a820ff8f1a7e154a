import { keyUri, type FileKey } from '../../core/fileKey';
import type { AssistantNode } from '../../core/node';
import type { ReviewedChange } from '../../core/review';
import { Emitter } from '../../engine/emitter';
import { RetraceError } from '../../engine/errors';
import type { MoveRequest } from '../../engine/movePlan';
import type { OpenSession } from '../../engine/openSession';
import {
  reviewedFiles,
  reviewedReply,
  type ReviewedFile,
  type TurnReview,
  type UndoPick,
} from '../../engine/reviewTurn';
import type { Sessions } from '../../engine/sessions';
import type { CurrentSession } from '../currentSession';
import type { KeptChanges } from './kept';

/** A file of the last reply that is not settled yet. */
export interface OpenFile {
  readonly uri: string;
  readonly file: FileKey;
  readonly reviewed: ReviewedFile;
}

/** What of a file is still to be looked at. */
export interface OpenChanges extends OpenFile {
  /** Undefined where they cannot be told line by line. */
  readonly changes: readonly ReviewedChange[] | undefined;
  readonly messageId: string;
}

/** What a review stands on. */
export interface ReviewPorts {
  readonly sessions: Sessions;
  readonly current: CurrentSession;
  readonly turns: TurnReview;
  readonly kept: KeptChanges;
}

interface Reviewed {
  readonly session: OpenSession;
  readonly reply: AssistantNode;
}

/** The changes of the last reply that somebody may still keep or undo. Keeping only stops the marking. */
export class Review {
  readonly changed = new Emitter<undefined>();
  readonly #ends: readonly (() => void)[];
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(private readonly ports: ReviewPorts) {
    const tell = (): void => this.changed.fire(undefined);
    this.#ends = [ports.sessions.listChanged.on(tell), ports.current.onChange.on(tell)];
  }

  dispose(): void {
    for (const end of this.#ends) end();
    this.changed.clear();
  }

  /** The files that are not settled, in the order the reply changed them. */
  files(): readonly OpenFile[] {
    const now = this.#reviewed();
    if (now === undefined) return [];
    const { session, reply } = now;
    return reviewedFiles(session, reply).flatMap((reviewed) => {
      const { file } = reviewed;
      const uri = keyUri(session.info.folders, file);
      if (uri === undefined || this.ports.kept.of(reply.id, file) === 'all') return [];
      return [{ uri, file, reviewed }];
    });
  }

  /** Reads what of a file is not settled; undefined where nothing is. */
  async read(uri: string): Promise<OpenChanges | undefined> {
    const now = this.#reviewed();
    const found = this.files().find((file) => file.uri === uri);
    if (now === undefined || found === undefined) return undefined;
    const { session, reply } = now;
    const kept = this.ports.kept.of(reply.id, found.file);
    if (kept === 'all') return undefined;
    const all = await this.ports.turns.changes(session, reply, found.reviewed);
    const changes = all?.filter(({ index, state }) => state !== 'undone' && !kept.includes(index));
    if (changes?.length === 0 && found.reviewed.from === undefined) return undefined;
    return { ...found, changes, messageId: reply.id };
  }

  /** Stops marking: one change, a file, or everything. */
  async keep(uri?: string, change?: number): Promise<readonly string[]> {
    const { reply } = this.#need();
    const files = this.#named(uri);
    const kept = files.map(({ file }): [FileKey, 'all' | number[]] => [
      file,
      change === undefined ? 'all' : [change],
    ]);
    await this.ports.kept.keep(reply.id, new Map(kept));
    const [only] = files;
    if (change !== undefined && only !== undefined && (await this.read(only.uri)) === undefined)
      await this.ports.kept.keep(reply.id, new Map([[only.file, 'all']]));
    this.changed.fire(undefined);
    return files.map((file) => file.uri);
  }

  /** Returns the move that undoes one change, a file, or everything that is not settled. */
  async undo(
    uri?: string,
    change?: number,
  ): Promise<{ readonly session: OpenSession; readonly request: MoveRequest }> {
    const { session, reply } = this.#need();
    const picks = await Promise.all(
      this.#named(uri).map(async ({ uri: each, file }): Promise<UndoPick> => {
        if (change !== undefined) return { file, changes: [change] };
        const kept = this.ports.kept.of(reply.id, file);
        if (kept.length === 0) return { file, changes: 'all' };
        const open = await this.read(each);
        return { file, changes: open?.changes?.map(({ index }) => index) ?? 'all' };
      }),
    );
    return { session, request: await this.ports.turns.undo(session, reply, picks) };
  }

  /** Runs what was asked for twice at once only once. */
  async once<T>(key: string, run: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    // The key names the kind of result.
    if (running !== undefined) return running as Promise<T>;
    const result = run();
    this.#running.set(key, result);
    try {
      return await result;
    } finally {
      this.#running.delete(key);
    }
  }

  #named(uri: string | undefined): readonly OpenFile[] {
    const files = this.files().filter((file) => uri === undefined || file.uri === uri);
    if (files.length > 0) return files;
    throw new RetraceError('nothing_to_do', 'There is no change to review here.');
  }

  #reviewed(): Reviewed | undefined {
    const { current, sessions } = this.ports;
    const session = current.id === undefined ? undefined : sessions.opened(current.id);
    const reply = session && reviewedReply(session);
    return session && reply && { session, reply };
  }

  #need(): Reviewed {
    const found = this.#reviewed();
    if (found !== undefined) return found;
    throw new RetraceError('nothing_to_do', 'There is no change to review here.');
  }
}
