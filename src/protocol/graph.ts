import * as v from 'valibot';
import type { TurnStatus } from '../core/node';
import { idSchema as id, parseFrame, type AnswerFrame, type Parsed } from './frames';
import type { FileView, Scope } from './viewModel';

/** Grows when the messages of the graph's page change; a page of another version asks to be loaded again. */
export const graphProtocol = 2;

/** What the graph's page may ask, by name. Every request carries the session it is about and is answered. */
export const graphRequestSchemas = {
  /** Sent at each load of the page; the answer is the first picture, with archived branches in it or not. */
  ready: v.strictObject({ protocol: v.number(), archived: v.boolean() }),
  /** Shows archived branches, or leaves them out; the picture comes ahead of the answer. */
  showArchived: v.strictObject({ shown: v.boolean() }),
  /** What is shown of one message before anything is done with it. */
  details: v.strictObject({ messageId: id }),
  /** Lines added and removed by replies; answered when all of them are counted. */
  counts: v.strictObject({ messageIds: v.pipe(v.array(id), v.maxLength(200)) }),
  /** The messages that hold a text. */
  find: v.strictObject({ text: v.pipe(v.string(), v.maxLength(1_000)) }),
  checkout: v.strictObject({
    messageId: id,
    scope: v.optional(v.picklist(['both', 'chat', 'files'])),
  }),
  fork: v.strictObject({ messageId: id }),
  /** Opens what differs between the files at a message and those at another one, or those that lie there now. */
  compare: v.strictObject({ messageId: id, with: v.optional(id) }),
  /** Asks for a label of a message. */
  label: v.strictObject({ messageId: id }),
  /** Takes a message and all under it out of sight, or puts it back. */
  archive: v.strictObject({ messageId: id, archived: v.boolean() }),
  openChange: v.strictObject({ messageId: id, uri: v.pipe(v.string(), v.maxLength(8_000)) }),
  openChanges: v.strictObject({ messageId: id }),
} as const;

export type GraphRequestName = keyof typeof graphRequestSchemas;

export type GraphParams = {
  [K in GraphRequestName]: v.InferOutput<(typeof graphRequestSchemas)[K]>;
};

/** What each request is answered with when it succeeds. */
export interface GraphResults {
  ready: { view: GraphView; strings: Readonly<Record<string, string>>; language: string };
  showArchived: null;
  details: GraphDetails;
  counts: { counts: Readonly<Record<string, LineCount>> };
  find: { messageIds: readonly string[] };
  /** `needsAnswer` says that the sheet is open in the chat; without it the move is done. */
  checkout: { needsAnswer: boolean; scope: Scope };
  fork: { sessionId: string };
  compare: null;
  label: null;
  archive: null;
  openChange: null;
  openChanges: null;
}

export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

/** A session as its graph shows it. Computed by the host and never written back. */
export interface GraphView {
  readonly sessionId: string;
  readonly title: string;
  readonly rows: readonly GraphRowView[];
  /** How many messages lie on archived branches, whether they are shown or left out. */
  readonly archived: number;
}

/** One row: a message, what all first messages follow, or where the session stands. */
export interface GraphRowView {
  /** The message's id; `start` and `here` for what is no message. */
  readonly key: string;
  readonly kind: 'start' | 'here' | 'user' | 'reply' | 'notice';
  /** The row of what it follows; -1 for the first. */
  readonly parent: number;
  readonly lane: number;
  /** Numbers the branches; 0 is the active path. */
  readonly branch: number;
  readonly active: boolean;
  /** The beginning of its text on one line. */
  readonly text: string;
  /** Which of several versions it is; one-based. */
  readonly version?: { readonly index: number; readonly count: number };
  readonly status: TurnStatus;
  /** How many files the reply changed. */
  readonly files: number;
  /** What else there is to say of it: rewound, forked, the files are here. */
  readonly marks: readonly string[];
  /** What somebody called it. */
  readonly label?: string;
  /** It lies on an archived branch. */
  readonly archived: boolean;
  readonly at: number;
}

/** A message as it is looked at before it is checked out. */
export interface GraphDetails {
  readonly messageId: string;
  readonly kind: GraphRowView['kind'];
  readonly text: string;
  readonly model?: string;
  readonly error?: string;
  readonly files: readonly FileView[];
  readonly at: number;
  /** The session stands here already. */
  readonly here: boolean;
  readonly label?: string;
  /** Itself archived, with everything under it. */
  readonly archived: boolean;
  /** On the way to where the session stands; such a message cannot be archived. */
  readonly active: boolean;
}

/** One frame from the host to the graph's page. */
export type GraphFrame =
  | AnswerFrame
  | { readonly type: 'graph'; readonly sessionId: string; readonly view: GraphView }
  /** A running reply grew: its row alone. */
  | { readonly type: 'row'; readonly sessionId: string; readonly row: GraphRowView };

/** One question of the graph's page. */
export interface GraphAsked<K extends GraphRequestName = GraphRequestName> {
  readonly type: 'request';
  readonly requestId: string;
  readonly sessionId: string;
  readonly name: K;
  readonly params: GraphParams[K];
}

/** Parses what came from the graph's page; never throws. */
export function parseGraphRequest(data: unknown): Parsed<typeof graphRequestSchemas> {
  return parseFrame(graphRequestSchemas, data);
}
