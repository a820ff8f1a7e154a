import * as v from 'valibot';
import { idSchema as id, parseFrame, type AnswerFrame, type Parsed } from './frames';
import type { Attachment } from '../core/node';
import type {
  ContextItem,
  MessageView,
  ModelRow,
  OfferView,
  ReplyView,
  Scope,
  MessageHitView,
  SessionHitView,
  SessionRow,
  SessionView,
} from './viewModel';

/** Grows when the messages change; a page of another version asks to be loaded again. */
export const protocolVersion = 1;

const text = v.pipe(v.string(), v.maxLength(4_000_000));
const scope = v.picklist(['both', 'chat', 'files']);
const attachment = v.union([
  v.strictObject({ uri: v.pipe(v.string(), v.maxLength(8_000)) }),
  v.strictObject({
    name: v.pipe(v.string(), v.maxLength(1_000)),
    mime: v.pipe(v.string(), v.maxLength(200)),
    base64: v.pipe(v.string(), v.maxLength(30_000_000)),
  }),
]);
const draft = v.strictObject({ text, attachments: v.pipe(v.array(attachment), v.maxLength(100)) });
/** Of the draft a text was typed on. */
const version = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)));
const verb = v.picklist([
  'rewind',
  'regenerate',
  'switch',
  'checkout',
  'edit',
  'undo',
  'redo',
  'files',
]);

/**
 * What the page may ask, by name, and what shape each question has. Every request carries the session it is about
 * (empty where it is about none) and an id of its own; every one is answered.
 */
export const requestSchemas = {
  /** Sent at each load of the page; the answer is the first snapshot. */
  ready: v.strictObject({ protocol: v.number() }),
  /** With `stopFirst` the running reply is stopped before. */
  send: v.strictObject({ draft, version, stopFirst: v.optional(v.boolean()) }),
  stop: v.strictObject({}),
  /** Has a message wait until the running reply has ended well. */
  queue: v.strictObject({ draft, version }),
  /** Does something with a message that waits: back into the composer, away, or out at once in place of the running reply. */
  queued: v.strictObject({ queuedId: id, action: v.picklist(['edit', 'drop', 'send']) }),
  saveDraft: v.strictObject({
    draft,
    caret: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    version,
  }),
  /** Has older turns summarised for the model and goes on. Accepted when that has begun. */
  continueSummarised: v.strictObject({}),
  takeBackDraft: v.strictObject({}),
  /** Forgets the draft that was put aside. */
  dropAside: v.strictObject({}),
  /**
   * Makes a plan for a verb. When something is to be confirmed the snapshot then shows the sheet, and `applyMove` goes on;
   * else the move is done at once.
   */
  planMove: v.strictObject({
    verb,
    messageId: v.optional(id),
    scope: v.optional(scope),
    model: v.optional(id),
    /** For `edit`: what is sent instead. */
    draft: v.optional(draft),
  }),
  applyMove: v.strictObject({
    planId: id,
    choices: v.record(v.string(), v.picklist(['keep', 'restore', 'merge'])),
    dontAskAgain: v.boolean(),
  }),
  /** Changes the scope of the open sheet. */
  rescopeMove: v.strictObject({ planId: id, scope }),
  cancelMove: v.strictObject({ planId: id }),
  compareFile: v.strictObject({ planId: id, uri: v.string() }),
  compareAll: v.strictObject({ planId: id }),
  /** Tries again the files that stay apart: all of them, or just those named. */
  bringHere: v.strictObject({ uris: v.optional(v.array(v.string())) }),
  fork: v.strictObject({ messageId: v.optional(id) }),
  /** Where the storage is full and a turn waits: twice the budget, or a look at what can be removed. */
  makeRoom: v.strictObject({ how: v.picklist(['raise', 'clean']) }),
  answerApproval: v.strictObject({
    approvalId: id,
    answer: v.picklist(['once', 'session', 'always', 'asIs', 'deny']),
  }),
  dismissLine: v.strictObject({ lineId: id }),
  listSessions: v.strictObject({}),
  /** Looks for a text in all sessions; the next search, also for nothing, ends this one. */
  findInConversation: v.strictObject({
    text: v.pipe(v.string(), v.maxLength(1_000)),
    everywhere: v.boolean(),
  }),
  searchSessions: v.strictObject({ text: v.pipe(v.string(), v.maxLength(1_000)) }),
  openSession: v.strictObject({ sessionId: id }),
  newSession: v.strictObject({}),
  /** Something done to a session of the list; what there is to ask is asked by VS Code. */
  keepSession: v.strictObject({
    sessionId: id,
    action: v.picklist(['rename', 'archive', 'unarchive', 'export', 'delete']),
  }),
  /** Asks what messages say of which the page has only the outline. */
  readMessages: v.strictObject({ ids: v.pipe(v.array(id), v.maxLength(200)) }),
  listModels: v.strictObject({}),
  selectModel: v.strictObject({ model: id }),
  selectMode: v.strictObject({ mode: v.picklist(['ask', 'edit', 'agent']) }),
  attachFiles: v.strictObject({}),
  /** Looks for what fits a text typed after `@`; a newer question of the page ends an older one. */
  findContext: v.strictObject({
    text: v.pipe(v.string(), v.maxLength(200)),
    kind: v.picklist(['any', 'file', 'folder']),
  }),
  /** Takes what the editor has now as an attachment. */
  takeContext: v.strictObject({ what: v.picklist(['selection', 'problems']) }),
  /** Lets the user choose a folder to open, where the session has none. */
  openFolder: v.strictObject({}),
  addModel: v.strictObject({}),
  /** Opens the diff of a file of a reply. */
  openChange: v.strictObject({ messageId: id, uri: v.string() }),
  openChanges: v.strictObject({ messageId: id }),
  openLink: v.strictObject({ href: v.pipe(v.string(), v.maxLength(8_000)) }),
  copy: v.strictObject({ text }),
  insertCode: v.strictObject({ text }),
  compareCode: v.strictObject({ text }),
  focusChanged: v.strictObject({ focused: v.boolean() }),
} as const;

export type RequestName = keyof typeof requestSchemas;

export type RequestParams = { [K in RequestName]: v.InferOutput<(typeof requestSchemas)[K]> };

/** What each request is answered with when it succeeds. */
export interface RequestResults {
  ready: { view: SessionView; strings: Readonly<Record<string, string>>; language: string };
  send: { accepted: true };
  stop: null;
  queue: null;
  queued: null;
  continueSummarised: null;
  saveDraft: null;
  takeBackDraft: null;
  dropAside: null;
  /** `needsAnswer` says the sheet is open; without it the move is done. */
  planMove: { planId: string; needsAnswer: boolean; scope: Scope };
  /** False when files changed meanwhile: nothing was written, and the sheet is open with a new plan. */
  applyMove: { applied: boolean };
  rescopeMove: null;
  cancelMove: null;
  compareFile: null;
  compareAll: null;
  bringHere: null;
  fork: { sessionId: string };
  makeRoom: null;
  answerApproval: null;
  dismissLine: null;
  listSessions: { sessions: readonly SessionRow[] };
  /** Not `complete`: some sessions are too many, or too long, to be looked through. */
  findInConversation: { hits: readonly MessageHitView[]; complete: boolean };
  searchSessions: { hits: readonly SessionHitView[]; complete: boolean };
  openSession: null;
  newSession: { sessionId: string };
  keepSession: { sessions: readonly SessionRow[] };
  /** Those that are in the conversation shown, in no order. */
  readMessages: { messages: readonly MessageView[] };
  listModels: { models: readonly ModelRow[] };
  selectModel: null;
  selectMode: null;
  attachFiles: null;
  findContext: { items: readonly ContextItem[] };
  takeContext: { attachment: Attachment };
  openFolder: null;
  addModel: null;
  openChange: null;
  openChanges: null;
  openLink: null;
  copy: null;
  insertCode: null;
  compareCode: null;
  focusChanged: null;
}

/** One frame from the page. */
export interface RequestFrame<K extends RequestName = RequestName> {
  readonly type: 'request';
  readonly requestId: string;
  readonly sessionId: string;
  readonly name: K;
  readonly params: RequestParams[K];
}

export type ParsedRequest = Parsed<typeof requestSchemas>;

/** Parses what came from the page; a frame of the wrong shape becomes a problem that can be answered, never a throw. */
export function parseRequest(data: unknown): ParsedRequest {
  return parseFrame(requestSchemas, data);
}

/** One change to what the page draws; `parts` are by index in a reply. */
export type ViewOp =
  | { readonly op: 'reply'; readonly reply: ReplyView }
  | {
      readonly op: 'appendText';
      readonly messageId: string;
      readonly part: number;
      readonly text: string;
    }
  | { readonly op: 'waiting'; readonly text: string | undefined }
  | { readonly op: 'offer'; readonly offer: OfferView | undefined };

/** Where the host has focus put. */
export type Focus = 'composer' | 'sheet' | 'find' | { readonly edit: string };

/** One frame from the host. A delta follows the revision it names; after a gap the page asks again with `ready`. */
export type HostFrame =
  | AnswerFrame
  | {
      readonly type: 'snapshot';
      readonly sessionId: string;
      readonly requestId: '';
      /** The revision that the page is thought to show; outlines speak of what it said. */
      readonly from: number;
      readonly view: SessionView;
      /** Where focus goes with it; `edit` opens a message of the user's for editing in its place. */
      readonly focus?: Focus;
    }
  | {
      readonly type: 'delta';
      readonly sessionId: string;
      readonly requestId: '';
      readonly from: number;
      readonly to: number;
      readonly ops: readonly ViewOp[];
    };
