import type { FileOutcome, MoveVerb } from '../core/journal';
import type { Attachment, Draft, ToolState, TurnStatus } from '../core/node';

/** What the page draws. It is computed by the host from the session and never written back. */
export interface SessionView {
  readonly sessionId: string;
  readonly title: string;
  /** Grows by one with every snapshot and delta of this session. */
  readonly revision: number;
  /**
   * The head's ancestors, first one first. What the page was told already, and what is far from the end, comes as an
   * outline.
   */
  readonly messages: readonly MessageEntry[];
  /** Drawn after the last message; not part of the conversation and never sent. */
  readonly lines: readonly LineView[];
  /** The files line: shown while head and files head differ, files stand apart, or files were last known elsewhere. */
  readonly files?: FilesLineView;
  readonly sheet?: SheetView;
  readonly approvals: readonly ApprovalView[];
  readonly running: boolean;
  /** What is waited for while a turn runs, such as a retry with its pause. */
  readonly waiting?: string;
  readonly draft: DraftView;
  /** Messages that wait for the running reply, oldest first. */
  readonly queued: readonly QueuedView[];
  /** Files of instructions of the project, sent with each message where they are used. */
  readonly instructions: readonly InstructionsView[];
  /** What the editor shows; nothing of it goes anywhere unless it is attached. */
  readonly offer?: OfferView;
  /** The key that sends: Enter, or Enter with Ctrl or Cmd. */
  readonly sendKey: SendKey;
  readonly model: ModelView;
  /** How far the agent may go. */
  readonly mode: ModeView;
  readonly context: ContextView;
  /** The session has no folder: the agent can answer, and change nothing. */
  readonly noFolder: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

export type ModeView = 'ask' | 'edit' | 'agent';

export interface ModelView {
  readonly id: string;
  readonly label: string;
  /** A built-in model that is no AI says so wherever its name stands. */
  readonly practice: boolean;
}

/** Tokens: estimated before the first answer, as the provider counted afterwards. */
export interface ContextView {
  readonly used: number;
  readonly window?: number;
  /** What the branch and the whole session took so far, in lines; empty where nothing was counted. */
  readonly usage: readonly string[];
}

export interface InstructionsView {
  readonly uri: string;
  readonly label: string;
  /** False in a workspace that is not trusted. */
  readonly used: boolean;
}

/** A file or folder that can be attached. */
export interface ContextItem {
  readonly kind: 'file' | 'folder';
  /** Its path, with the folder's name in front where there are several. */
  readonly label: string;
  readonly uri: string;
}

/** What the editor shows now, attached by one click: the selected text, or the file. */
export type OfferView =
  | { readonly what: 'selection'; readonly label: string }
  | { readonly what: 'file'; readonly label: string; readonly uri: string };

export type SendKey = 'enter' | 'ctrlEnter';

export interface QueuedView {
  readonly id: string;
  readonly text: string;
  readonly attachments: number;
}

/** The unsent draft; `aside` is a draft that a move put away and that can be taken back. */
export interface DraftView extends Draft {
  /** Changes whenever the host, not the typing user, replaced the draft. */
  readonly version: number;
  /** Where the caret was when the text was last saved. */
  readonly caret?: number;
  readonly aside?: Draft;
}

export interface SiblingsView {
  /** One-based. */
  readonly index: number;
  readonly count: number;
  readonly previous?: string;
  readonly next?: string;
}

export type MessageView = UserView | ReplyView | NoticeView | SummaryView;

export type MessageEntry = MessageView | OutlineView;

/**
 * A message without what it says. The page goes on with what the view before this one said of it, and else asks with
 * `readMessages` when it comes near.
 */
export interface OutlineView {
  readonly role: 'outline';
  readonly id: string;
  readonly of: MessageView['role'];
  /** Roughly how many characters it says. */
  readonly size: number;
}

export interface UserView {
  readonly role: 'user';
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  readonly createdAt: number;
  readonly siblings: SiblingsView;
}

/** An attachment as a chip. `data` goes back to the host as it came. */
export interface AttachmentView {
  readonly label: string;
  readonly data: Attachment;
}

export interface ReplyView {
  readonly role: 'assistant';
  readonly id: string;
  readonly model: string;
  readonly parts: readonly PartView[];
  readonly status: TurnStatus;
  readonly error?: { readonly code: string; readonly message: string };
  /** What the turn took, in a line; missing where nothing was counted. */
  readonly usage?: string;
  readonly files: readonly FileView[];
  readonly createdAt: number;
  readonly siblings: SiblingsView;
}

/** Stands for older messages in what a model is sent. */
export interface SummaryView {
  readonly role: 'summary';
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
}

export interface NoticeView {
  readonly role: 'notice';
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
}

export type PartView =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool';
      readonly name: string;
      /** One line: what it does to what, `read src/server.ts`. */
      readonly summary: string;
      readonly state: ToolState;
      readonly input: string;
      readonly output: string;
      /** Milliseconds, once it ended. */
      readonly took?: number;
    }
  | {
      readonly type: 'todo';
      readonly items: readonly { readonly text: string; readonly done: boolean }[];
    };

export type FileChangeKind = 'created' | 'changed' | 'deleted' | 'renamed' | 'folder' | 'uncovered';

/** One row of a reply's file card. */
export interface FileView {
  readonly uri: string;
  readonly label: string;
  readonly kind: FileChangeKind;
  /** Set for a rename. */
  readonly from?: string;
  /** The change holds an edit by hand made before the agent's. */
  readonly byHand: boolean;
  readonly uncovered?: string;
  /** Missing for what has no lines, and where counting took too long. */
  readonly added?: number;
  readonly removed?: number;
}

/** A quiet line after the last message. */
export type LineView =
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly text: string;
      readonly action?: 'undo' | 'redo';
      readonly failures: readonly {
        readonly label: string;
        readonly uri: string;
        readonly reason: string;
      }[];
    }
  | { readonly kind: 'error'; readonly id: string; readonly text: string; readonly code: string }
  | {
      readonly kind: 'points';
      readonly id: string;
      readonly points: readonly {
        readonly n: number;
        readonly messageId: string;
        readonly text: string;
        readonly filesChanged: number;
      }[];
    }
  | { readonly kind: 'text'; readonly id: string; readonly text: string };

export interface FilesLineView {
  readonly text: string;
  /** What *Bring here* would bring; empty when there is nothing it could do. */
  readonly canBring: boolean;
}

export type Scope = 'both' | 'chat' | 'files';

export type ConflictChoice = 'keep' | 'restore' | 'merge';

/** The question before a move that changes files; nothing is written while it is open. */
export interface SheetView {
  readonly planId: string;
  readonly verb: MoveVerb;
  readonly title: string;
  readonly detail: string;
  /** The label of the button that goes on. */
  readonly action: string;
  readonly scope: Scope;
  readonly scopes: readonly Scope[];
  readonly files: readonly PlannedFileView[];
  /** Set when files changed since the last plan and this one was made anew. */
  readonly replanned: boolean;
  /** Every file goes exactly to a recorded state, so "don't ask again" may be offered. */
  readonly plain: boolean;
}

export interface PlannedFileView {
  readonly uri: string;
  readonly label: string;
  readonly outcome: FileOutcome | 'conflict' | 'stands at';
  /** A short tag: "restore", "merged: your lines stay", "not covered: 61 MB". */
  readonly tag: string;
  readonly added?: number;
  readonly removed?: number;
  /** What can be chosen; empty where there is nothing to choose. The first one is the default. */
  readonly choices: readonly ConflictChoice[];
  readonly canCompare: boolean;
}

export interface ApprovalView {
  readonly approvalId: string;
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly answers: readonly ('once' | 'session' | 'always' | 'asIs' | 'deny')[];
  /** What is to be known before answering. */
  readonly note?: string;
}

export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly current: boolean;
  readonly running: boolean;
  readonly archived: boolean;
  readonly messages: number;
  readonly forkedFrom?: string;
}

/** A session that holds what was looked for; without an excerpt only its title does. */
/** A message that holds what was looked for in a conversation. */
export interface MessageHitView {
  readonly messageId: string;
  readonly excerpt: string;
  /** False where it is on another branch than the one that is shown. */
  readonly onPath: boolean;
}

export interface SessionHitView {
  readonly id: string;
  readonly excerpt?: string;
}

export interface ModelRow {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly current: boolean;
}
