import * as v from 'valibot';
import { ancestors } from '../../core/graph';
import type { SessionFolder } from '../../core/fileKey';
import type { Link } from '../../core/changes';
import type { NodeId, SessionId } from '../../core/ids';
import type { Standing } from '../../core/journal';
import { nodeText, type AssistantNode, type Draft, type GraphNode } from '../../core/node';
import type { SessionInfo, SessionRecord } from '../../core/session';
import {
  assistantNodeSchema,
  draftSchema,
  folderSchema,
  forkedFromSchema,
  linkSchema,
  standingSchema,
} from './schemas';

/** What the list of sessions shows. A cache: it is made again from the records when it is missing or damaged. */
export interface SessionCard {
  readonly id: SessionId;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly archived: boolean;
  readonly folders: readonly SessionFolder[];
  readonly forkedFrom?: { readonly sessionId: SessionId; readonly messageId: NodeId | null };
  readonly nodes: number;
  readonly userMessages: number;
  /** The beginning of the newest text on the active branch. */
  readonly preview: string;
  /** How many stored pieces of the session were found damaged when it was last loaded. */
  readonly damaged?: number;
}

/** A message that waits for the running turn to end well. */
export interface QueuedMessage {
  readonly id: string;
  readonly draft: Draft;
}

/** What a composer holds: text, attachments and caret, a draft put aside by a move, and messages that wait. */
export interface StoredDraft {
  readonly draft: Draft;
  readonly caret?: number;
  readonly aside?: Draft;
  /** Oldest first. */
  readonly queued?: readonly QueuedMessage[];
  /** Counts the times the text was replaced by something else than typing. */
  readonly version?: number;
}

/** A turn that runs: what it has so far, where the session stands, and the changes it is about to make. */
export interface LiveTurn {
  readonly node: AssistantNode;
  readonly standing: Standing;
  /** Changes announced and not yet read back. After a crash the file's bytes say whether each was made. */
  readonly intents: readonly Link[];
  /** How many intents were written before this; later ones tell more. */
  readonly announced?: number;
}

/** A running turn as it was found: whose it is and when it was last heard of. */
export interface StoredLive extends LiveTurn {
  readonly writer: string;
  readonly savedAt: number;
}

/** A process changes files for a session: whose it is and when it last said so. */
export interface Hold {
  readonly writer: string;
  readonly savedAt: number;
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const cardSchema = v.object({
  id: v.string(),
  title: v.string(),
  createdAt: v.number(),
  updatedAt: v.number(),
  archived: v.boolean(),
  folders: v.pipe(v.array(folderSchema), v.readonly()),
  forkedFrom: v.exactOptional(forkedFromSchema),
  nodes: count,
  userMessages: count,
  preview: v.string(),
  damaged: v.exactOptional(count),
}) satisfies v.GenericSchema<unknown, SessionCard>;

const storedDraftSchema = v.object({
  draft: draftSchema,
  caret: v.exactOptional(count),
  aside: v.exactOptional(draftSchema),
  queued: v.exactOptional(
    v.pipe(v.array(v.object({ id: v.string(), draft: draftSchema })), v.readonly()),
  ),
  version: v.exactOptional(count),
}) satisfies v.GenericSchema<unknown, StoredDraft>;

const storedLiveSchema = v.object({
  node: assistantNodeSchema,
  standing: standingSchema,
  intents: v.pipe(v.array(linkSchema), v.readonly()),
  announced: v.exactOptional(count),
  writer: v.string(),
  savedAt: v.number(),
}) satisfies v.GenericSchema<unknown, StoredLive>;

const range = v.pipe(v.tuple([count, count]), v.readonly());

const manifestSchema = v.object({
  at: v.number(),
  why: v.string(),
  title: v.string(),
  /** Which records the session had: ranges of numbers by writer. */
  records: v.record(v.string(), v.pipe(v.array(range), v.readonly())),
  draft: v.exactOptional(storedDraftSchema),
});

/** A backup: which records a session had at a moment, and its draft. */
export type BackupManifest = Readonly<v.InferOutput<typeof manifestSchema>>;

/** Returns a parser that believes what a schema describes and nothing else. */
function parser<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T | undefined {
  return (value) => {
    const parsed = v.safeParse(schema, value);
    return parsed.success ? parsed.output : undefined;
  };
}

export const parseCard = parser<SessionCard>(cardSchema);
export const parseStoredDraft = parser<StoredDraft>(storedDraftSchema);
export const parseStoredLive = parser<StoredLive>(storedLiveSchema);
export const parseHold = parser<Hold>(v.object({ writer: v.string(), savedAt: v.number() }));
export const parseManifest = parser<BackupManifest>(manifestSchema);
/** Which records have a second copy, and the segments that need not be read again to know. */
export const parseMirrored = parser(
  v.object({
    records: v.record(v.string(), v.pipe(v.array(range), v.readonly())),
    segments: v.pipe(v.array(v.string()), v.readonly()),
  }),
);
export const parseMeta = parser(v.object({ format: count, createdAt: v.number() }));
export const parseTombstone = parser(v.object({ at: v.number() }));

const previewLength = 200;

/** Returns a session's card as its records tell it. */
export function cardOf(
  info: SessionInfo,
  records: readonly SessionRecord[],
  damaged = 0,
): SessionCard {
  const nodes = new Map<NodeId, GraphNode>();
  let head: NodeId | null = null;
  let updatedAt = info.createdAt;
  for (const record of records) {
    if (record.type === 'node') {
      nodes.set(record.node.id, record.node);
      head = record.standing === undefined ? head : record.standing.head;
      updatedAt = Math.max(updatedAt, record.node.createdAt);
    } else if (record.type === 'move') {
      if (record.move.results !== undefined) head = record.move.after.head;
      updatedAt = Math.max(updatedAt, record.move.at);
    } else if (record.type === 'standing') {
      head = record.standing.head;
    }
  }
  const texts = ancestors(nodes, head).map((node) => nodeText(node).trim());
  const shown = [...nodes.values()].filter((node) => node.role !== 'files');
  return {
    id: info.id,
    title: info.title,
    createdAt: info.createdAt,
    updatedAt,
    archived: info.archived,
    folders: info.folders,
    ...(info.forkedFrom === undefined ? {} : { forkedFrom: info.forkedFrom }),
    nodes: shown.length,
    userMessages: shown.filter((node) => node.role === 'user').length,
    preview: (texts.findLast((text) => text !== '') ?? '').slice(0, previewLength),
    ...(damaged === 0 ? {} : { damaged }),
  };
}

/**
 * Returns the cards a window shows: sessions that share a folder with it; without folders, sessions without folders.
 */
export function cardsOf(
  cards: readonly SessionCard[],
  folderUris: readonly string[],
): SessionCard[] {
  const here = new Set(folderUris);
  return cards.filter((card) =>
    here.size === 0
      ? card.folders.length === 0
      : card.folders.some((folder) => here.has(folder.uri)),
  );
}

/** Returns what the newest info record says, or as much as a card knows where none is left. */
export function infoOf(
  id: SessionId,
  records: readonly SessionRecord[],
  card?: SessionCard,
): SessionInfo {
  const last = records.findLast((record) => record.type === 'info');
  if (last !== undefined) return last.info;
  return {
    id,
    title: card?.title ?? 'Damaged session',
    titleLocked: false,
    folders: card?.folders ?? [],
    createdAt: card?.createdAt ?? 0,
    archived: card?.archived ?? false,
    ...(card?.forkedFrom === undefined ? {} : { forkedFrom: card.forkedFrom }),
  };
}

/** Orders cards as lists show them. */
export function newestFirst(a: SessionCard, b: SessionCard): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Says whether a card tells something the records do not. Its preview and times are only for show. */
export function isStale(card: SessionCard, now: SessionCard): boolean {
  const facts = ['title', 'archived', 'nodes', 'userMessages', 'damaged'] as const;
  return facts.some((fact) => card[fact] !== now[fact]);
}
