import * as v from 'valibot';
import { uncoveredReasons, type FileState, type Link } from '../../core/changes';
import type { SessionFolder } from '../../core/fileKey';
import type { Move, Standing } from '../../core/journal';
import type { Attachment, Draft, GraphNode, Part } from '../../core/node';
import type { Mark, SessionInfo, SessionRecord } from '../../core/session';
import { variant } from './variant';

/*
 * What is believed of stored text. Fields nobody here knows are tolerated; they stay on disk, because a record is never
 * rewritten. The checks at the end make a difference to the core's types a compile error.
 */

const list = <T extends v.GenericSchema>(item: T) => v.pipe(v.array(item), v.readonly());
const whole = v.pipe(v.number(), v.integer());
const id = v.pipe(v.string(), v.minLength(1));
const place = v.nullable(id);

/** A key never climbs out of its folder, whatever a damaged or foreign file says. */
const fileKey = v.pipe(
  v.string(),
  v.check((key) => {
    if (key.includes('\0')) return false;
    // Outside every folder a key is a URI: a name alone would be taken for a place nobody meant.
    if (!/^f\d+\//u.test(key)) return /^[a-z][a-z0-9+.-]+:/iu.test(key);
    return key.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  }),
);

const blobHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));

/** What a path holds. */
export const fileStateSchema = variant('kind', [
  v.object({ kind: v.literal('absent') }),
  v.object({
    kind: v.literal('file'),
    hash: blobHash,
    size: v.pipe(whole, v.minValue(0)),
    mode: v.exactOptional(whole),
  }),
  v.object({ kind: v.literal('folder') }),
  v.object({ kind: v.literal('symlink'), target: v.string() }),
  v.object({
    kind: v.literal('uncovered'),
    reason: v.picklist(uncoveredReasons),
    size: v.exactOptional(v.number()),
  }),
]);

const changedBy = v.picklist(['agent', 'hand', 'command', 'move']);

/** One recorded change of a file or folder. */
export const linkSchema = variant('type', [
  v.object({
    type: v.literal('change'),
    file: fileKey,
    before: fileStateSchema,
    after: fileStateSchema,
    by: changedBy,
    buffer: v.exactOptional(v.object({ diskBefore: fileStateSchema, diskAfter: fileStateSchema })),
    shared: v.exactOptional(v.literal(true)),
    torn: v.exactOptional(v.literal(true)),
  }),
  v.object({
    type: v.literal('rename'),
    from: fileKey,
    to: fileKey,
    state: fileStateSchema,
    by: changedBy,
  }),
  v.object({ type: v.literal('folder'), folder: fileKey, made: v.boolean(), by: changedBy }),
]);

const attachment = v.union([
  v.object({ uri: v.string() }),
  v.object({ name: v.string(), mime: v.string(), base64: v.string() }),
]);

/** Text and attachments waiting in a composer. */
export const draftSchema = v.object({ text: v.string(), attachments: list(attachment) });

const providerData = { providerData: v.exactOptional(v.unknown()) };

const part = variant('type', [
  v.object({ type: v.literal('text'), text: v.string(), ...providerData }),
  v.object({ type: v.literal('reasoning'), text: v.string(), ...providerData }),
  v.object({
    type: v.literal('tool'),
    callId: v.string(),
    name: v.string(),
    // JSON leaves out what is undefined: an input that was is read as null.
    input: v.optional(v.unknown(), null),
    state: v.picklist(['running', 'done', 'failed', 'interrupted', 'denied']),
    output: v.string(),
    startedAt: v.number(),
    endedAt: v.exactOptional(v.number()),
    waited: v.exactOptional(v.number()),
    exitCode: v.exactOptional(v.number()),
    ...providerData,
  }),
  v.object({
    type: v.literal('todo'),
    items: list(v.object({ text: v.string(), done: v.boolean() })),
  }),
]);

const nodeBase = {
  id,
  parentId: place,
  filesFrom: place,
  createdAt: v.number(),
  order: v.number(),
};

const usage = v.object({
  inputTokens: v.exactOptional(v.number()),
  outputTokens: v.exactOptional(v.number()),
  cachedTokens: v.exactOptional(v.number()),
  calls: v.exactOptional(v.number()),
  contextTokens: v.exactOptional(v.number()),
  cost: v.exactOptional(v.number()),
});

/** A reply, running or finished. */
export const assistantNodeSchema = v.object({
  ...nodeBase,
  role: v.literal('assistant'),
  model: v.string(),
  parts: list(part),
  status: v.picklist(['running', 'done', 'failed', 'interrupted']),
  error: v.exactOptional(
    v.object({
      code: v.string(),
      message: v.string(),
      tooLong: v.exactOptional(
        v.object({ tokens: v.number(), window: v.exactOptional(v.number()) }),
      ),
    }),
  ),
  usage: v.exactOptional(usage),
  changes: list(linkSchema),
  seen: v.exactOptional(v.record(fileKey, blobHash)),
});

const graphNode = variant('role', [
  v.object({
    ...nodeBase,
    role: v.literal('user'),
    text: v.string(),
    attachments: list(attachment),
  }),
  assistantNodeSchema,
  v.object({ ...nodeBase, role: v.literal('notice'), text: v.string() }),
  v.object({
    ...nodeBase,
    role: v.literal('summary'),
    text: v.string(),
    covers: list(id),
    usage: v.exactOptional(usage),
  }),
  v.object({ ...nodeBase, role: v.literal('files'), changes: list(linkSchema) }),
]);

/** Head, files head and the files that stand elsewhere. */
export const standingSchema = v.object({
  head: place,
  filesHead: place,
  apart: v.record(fileKey, place),
});

const move = v.object({
  id,
  verb: v.picklist(['rewind', 'edit', 'regenerate', 'switch', 'checkout', 'undo', 'redo', 'files']),
  at: v.number(),
  target: place,
  before: standingSchema,
  after: standingSchema,
  draftBefore: draftSchema,
  draftAfter: draftSchema,
  links: list(linkSchema),
  takesBack: v.exactOptional(id),
  results: v.exactOptional(
    list(
      v.object({
        file: fileKey,
        outcome: v.picklist([
          'restored',
          'merged',
          'deleted',
          'moved',
          'kept',
          'unchanged',
          'uncovered',
          'failed',
        ]),
        reason: v.exactOptional(v.string()),
        added: v.exactOptional(v.number()),
        removed: v.exactOptional(v.number()),
      }),
    ),
  ),
  turnsReverted: v.number(),
});

/** A workspace folder as a session remembers it. */
export const folderSchema = v.object({ id: v.string(), uri: v.string(), name: v.string() });

/** Where a fork came from. */
export const forkedFromSchema = v.object({ sessionId: id, messageId: v.nullable(id) });

const sessionInfo = v.object({
  id,
  title: v.string(),
  titleLocked: v.boolean(),
  titledByModel: v.exactOptional(v.literal(true)),
  folders: list(folderSchema),
  createdAt: v.number(),
  archived: v.boolean(),
  forkedFrom: v.exactOptional(forkedFromSchema),
});

/** What was said of a message. */
export const markSchema = v.object({
  messageId: id,
  label: v.exactOptional(v.string()),
  archived: v.exactOptional(v.boolean()),
});

/** One stored record of a session. */
export const recordSchema = variant('type', [
  v.object({ type: v.literal('info'), info: sessionInfo }),
  v.object({
    type: v.literal('node'),
    node: graphNode,
    standing: v.exactOptional(standingSchema),
  }),
  v.object({ type: v.literal('move'), move }),
  v.object({ type: v.literal('standing'), standing: standingSchema }),
  v.object({ type: v.literal('mark'), mark: markSchema }),
]);

/** Returns a believed value, or undefined for anything else. */
export function parseRecord(value: unknown): SessionRecord | undefined {
  const parsed = v.safeParse(recordSchema, value);
  return parsed.success ? parsed.output : undefined;
}

/** The same type with every field required, so that a forgotten optional field shows. */
type Full<T> = T extends readonly (infer E)[]
  ? readonly Full<E>[]
  : T extends object
    ? { readonly [K in keyof T]-?: Full<T[K]> }
    : T;

type Same<A, B> = [Full<A>, Full<B>] extends [Full<B>, Full<A>] ? true : false;

type Output<T extends v.GenericSchema> = v.InferOutput<T>;

/** True at every place, or the build fails: each schema yields exactly the type the core names. */
export const schemasMatchCore: readonly [
  Same<Output<typeof fileStateSchema>, FileState>,
  Same<Output<typeof linkSchema>, Link>,
  Same<Output<typeof attachment>, Attachment>,
  Same<Output<typeof draftSchema>, Draft>,
  Same<Output<typeof part>, Part>,
  Same<Output<typeof graphNode>, GraphNode>,
  Same<Output<typeof standingSchema>, Standing>,
  Same<Output<typeof move>, Move>,
  Same<Output<typeof folderSchema>, SessionFolder>,
  Same<Output<typeof sessionInfo>, SessionInfo>,
  Same<Output<typeof markSchema>, Mark>,
  Same<Output<typeof recordSchema>, SessionRecord>,
] = [true, true, true, true, true, true, true, true, true, true, true, true];
