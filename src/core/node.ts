import type { Link } from './changes';
import type { FileKey } from './fileKey';
import type { BlobHash, NodeId, Place } from './ids';

/** Something sent along with a message: a file of the workspace by its URI, or bytes that came with it. */
export type Attachment =
  | { readonly uri: string }
  | { readonly name: string; readonly mime: string; readonly base64: string };

/** Text waiting in a composer. */
export interface Draft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export const emptyDraft: Draft = { text: '', attachments: [] };

export type ToolState = 'running' | 'done' | 'failed' | 'interrupted' | 'denied';

/** One ordered piece of a reply. `providerData` is what a provider wants back verbatim (signatures, ids). */
export type Part =
  | { readonly type: 'text'; readonly text: string; readonly providerData?: unknown }
  | { readonly type: 'reasoning'; readonly text: string; readonly providerData?: unknown }
  | {
      readonly type: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly input: unknown;
      readonly state: ToolState;
      /** What the model is told; empty while the call runs. */
      readonly output: string;
      readonly startedAt: number;
      readonly endedAt?: number;
      /** How much of that time somebody was asked and had not answered yet, in milliseconds. */
      readonly waited?: number;
      /** What a command that ended by itself gave back. */
      readonly exitCode?: number;
      readonly providerData?: unknown;
    }
  | {
      readonly type: 'todo';
      readonly items: readonly { readonly text: string; readonly done: boolean }[];
    };

export type ToolPart = Extract<Part, { type: 'tool' }>;

export type TodoPart = Extract<Part, { type: 'todo' }>;

export type TurnStatus = 'running' | 'done' | 'failed' | 'interrupted';

export interface TurnError {
  readonly code: string;
  readonly message: string;
  /** Set where the request was too long for the model. */
  readonly tooLong?: {
    /** What the request took, as estimated here. */
    readonly tokens: number;
    /** What the model's configuration said it can take in at that time. */
    readonly window?: number;
  };
}

/** What a turn took, as the provider counted it. */
export interface Usage {
  /** Of all its calls; the cached ones are among them. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Input that the provider had kept from an earlier request. */
  readonly cachedTokens?: number;
  /** Calls of the model. */
  readonly calls?: number;
  /** What the last call took in and gave out: the size of the conversation since. */
  readonly contextTokens?: number;
  /** In US dollars, where the server told it or prices are set. */
  readonly cost?: number;
}

interface NodeBase {
  readonly id: NodeId;
  /** The node it answers or follows; the only thing that gives the graph its shape. */
  readonly parentId: NodeId | null;
  /** The place whose file state lay on disk when this node began. */
  readonly filesFrom: Place;
  /** Milliseconds since the epoch; for people, never for order. */
  readonly createdAt: number;
  /** Position among its siblings; equal numbers are told apart by id. */
  readonly order: number;
}

export interface UserNode extends NodeBase {
  readonly role: 'user';
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface AssistantNode extends NodeBase {
  readonly role: 'assistant';
  readonly model: string;
  readonly parts: readonly Part[];
  readonly status: TurnStatus;
  readonly error?: TurnError;
  readonly usage?: Usage;
  readonly changes: readonly Link[];
  /**
   * The content of each file as the agent last saw it in this turn, where its own changes do not say it: what the
   * read-before-edit gate goes by.
   */
  readonly seen?: Readonly<Record<FileKey, BlobHash>>;
}

/** Something the product says in the transcript; never sent to a model. */
export interface NoticeNode extends NodeBase {
  readonly role: 'notice';
  readonly text: string;
}

/** Stands, in a request only, for the ancestors it names. */
export interface SummaryNode extends NodeBase {
  readonly role: 'summary';
  readonly text: string;
  readonly covers: readonly NodeId[];
  readonly usage?: Usage;
}

/** A node of a fork that carries file changes only: never shown, sent or counted. */
export interface FileNode extends NodeBase {
  readonly role: 'files';
  readonly changes: readonly Link[];
}

/** A message, written once, never changed after it is finished and never removed. */
export type GraphNode = UserNode | AssistantNode | NoticeNode | SummaryNode | FileNode;

/** Returns what a node did to files; only replies and file nodes do anything. */
export function changesOf(node: GraphNode): readonly Link[] {
  return node.role === 'assistant' || node.role === 'files' ? node.changes : [];
}

/** Returns a reply's text parts joined, or a message's text. */
export function nodeText(node: GraphNode): string {
  if (node.role === 'files') return '';
  if (node.role !== 'assistant') return node.text;
  return node.parts
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('');
}

/**
 * Returns which of two nodes of one id a session believes. A reply that ran gives way to its end, and one that another
 * window gave up to the one that went on; in any other case the first one stored stays, for a node is written once.
 */
export function fuller(first: GraphNode, second: GraphNode): GraphNode {
  if (first.role !== 'assistant' || second.role !== 'assistant') return first;
  if (first.parentId !== second.parentId) return first;
  if (first.status === 'running') return second;
  const more = second.changes.length - first.changes.length;
  const wentOn = more === 0 && first.status === 'interrupted' && second.status === 'done';
  return more > 0 || wentOn ? second : first;
}
