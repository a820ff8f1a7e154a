import type { SessionId } from '../../core/ids';
import type { MoveVerb } from '../../core/journal';
import type { Mode } from '../../core/mode';
import type { Attachment, Draft } from '../../core/node';
import type { Approvals } from '../../engine/approvals';
import type { MessageQueue } from '../../engine/messageQueue';
import type { OpenSession } from '../../engine/openSession';
import type { BlobReader, Log, Translate } from '../../engine/ports';
import type { Retrace } from '../../engine/retrace';
import type { Sessions } from '../../engine/sessions';
import type { SessionSearch } from '../../engine/sessionSearch';
import type { Sheets } from '../../engine/sheets';
import type { RequestParams } from '../../protocol/messages';
import type {
  ContextItem,
  InstructionsView,
  ModelRow,
  ModelView,
  OfferView,
  Scope,
  SendKey,
} from '../../protocol/viewModel';
import type { CurrentSession } from '../currentSession';

/** The models as the chat shows and chooses them. */
export interface ChatModels {
  list(session: OpenSession): Promise<readonly ModelRow[]>;
  /** The model the session's next turn uses. Asked at every snapshot, so it waits for nothing. */
  currentOf(session: OpenSession): ModelView & { readonly contextWindow?: number };
  /** What people see for a model's id, also when it is no longer configured. */
  labelOf(id: string): string;
  select(session: OpenSession, id: string): Promise<void>;
  /** Calls back when a label, the list or the choice may have changed; returns what ends that. */
  onChange(listener: () => void): () => void;
}

/** How far the agent may go in a session, as the chat shows and chooses it. */
export interface ChatModes {
  currentOf(session: OpenSession): Mode;
  select(session: OpenSession, mode: Mode): Promise<void>;
  /** Calls back when a session's mode may have changed; returns what ends that. */
  onChange(listener: () => void): () => void;
}

/** What the chat has VS Code show. Nothing here changes a session or a file. */
export interface ChatOpener {
  /** The diff of one file of a reply: from before its first change in the turn to after its last. */
  openChange(session: OpenSession, messageId: string, uri: string): Promise<void>;
  openChanges(session: OpenSession, messageId: string): Promise<void>;
  /** The diff of one file of a plan: what it holds now and what it would become. */
  compareFile(planId: string, uri: string): Promise<void>;
  compareAll(planId: string): Promise<void>;
  /** Follows a link of a reply; refuses what is neither web nor a file. */
  openLink(session: OpenSession, href: string): Promise<void>;
  /** Lets the user choose files; nothing when that was cancelled. The chat puts them into the draft. */
  attachFiles(session: OpenSession): Promise<readonly Attachment[]>;
  copy(text: string): Promise<void>;
  /** Puts code of a reply into the editor used last. */
  insertCode(text: string): Promise<void>;
  /** Shows code of a reply beside what is in the editor used last. */
  compareCode(text: string): Promise<void>;
  /** Lets the user choose a folder; the window then begins anew with it. */
  openFolder(): Promise<void>;
  /** Begins to ask for a new model, step by step; what goes wrong is said by VS Code. */
  addModel(): Promise<void>;
}

/** What can be given to the agent along with a message. Nothing is sent by asking for it. */
export interface ChatContext {
  find(
    session: OpenSession,
    question: RequestParams['findContext'],
    signal: AbortSignal,
  ): Promise<readonly ContextItem[]>;
  /** Takes the selected text, or the problems, as they are now. Throws `not_found` where there are none. */
  take(session: OpenSession, what: 'selection' | 'problems'): Attachment;
  /** The files of instructions of the project. Asked at every snapshot, so it waits for nothing. */
  instructions(session: OpenSession): readonly InstructionsView[];
  /** Calls back when they may have changed; returns what ends that. */
  onInstructions(listener: () => void): () => void;
  /** What the editor shows now. Asked at every snapshot, so it waits for nothing. */
  offer(session: OpenSession): OfferView | undefined;
  /** Calls back when the offer may have changed; returns what ends that. */
  onOffer(listener: () => void): () => void;
}

/**
 * Takes what was typed into the composer: a message to send, or a slash command. Resolves when it is taken (the message
 * is on disk, the command has done or begun its work, its sheet is open), not when the turn has ended; what goes wrong
 * after that becomes a line of the session. Rejects with a `RetraceError` when nothing was taken: the text then stays in
 * the composer. The composer was emptied before the call.
 */
export type Submit = (session: OpenSession, draft: Draft) => Promise<void>;

/** Everything the chat needs; nothing in it is global. */
export interface ChatServices {
  readonly retrace: Retrace;
  readonly sheets: Sheets;
  readonly sessions: Sessions;
  readonly search: Pick<SessionSearch, 'find'>;
  readonly approvals: Approvals;
  readonly blobs: BlobReader;
  readonly current: CurrentSession;
  readonly submit: Submit;
  readonly queue: MessageQueue;
  /** Which key sends, and the sign that it may have changed. */
  readonly sendKey: { get(): SendKey; onChange(listener: () => void): () => void };
  /** Goes on with older turns summarised; what goes wrong on the way becomes a line of the session. */
  readonly continueSummarised: (session: OpenSession) => Promise<void>;
  /** Does something to a session of the list; asks what there is to ask. Rejects with `cancelled` when the user said no. */
  readonly keepSession: (
    action: RequestParams['keepSession']['action'],
    sessionId: SessionId,
  ) => Promise<void>;
  /** Raises the storage budget, or asks what to clean up and does it. */
  readonly makeRoom: (how: RequestParams['makeRoom']['how']) => Promise<void>;
  /** Throws what would keep a turn from running, so that it is known before a move makes room for one. */
  readonly requireTurn: (session: OpenSession, model: string | undefined) => Promise<void>;
  readonly models: ChatModels;
  readonly modes: ChatModes;
  readonly opener: ChatOpener;
  readonly context: ChatContext;
  readonly log: Log;
  readonly t: Translate;
  /** What a move takes along when the page does not say; the same for commands. */
  readonly defaultScope: (verb: MoveVerb) => Scope;
  /** The page's texts by key, and the language they are in. */
  readonly texts: {
    readonly strings: Readonly<Record<string, string>>;
    readonly language: string;
  };
  /** Told whether focus is in the page: keys hang on it. */
  readonly focusChanged: (focused: boolean) => void;
}
