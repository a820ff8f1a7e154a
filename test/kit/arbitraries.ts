import fc from 'fast-check';
import type { FileState, Link } from '../../src/core/changes';
import type { FileKey } from '../../src/core/fileKey';
import type { Move, Standing } from '../../src/core/journal';
import type { Attachment, Draft, GraphNode, Part, UserNode } from '../../src/core/node';
import type { Mark, SessionInfo, SessionRecord } from '../../src/core/session';

/*
 * Anything the core's types allow. Texts hold what storage breaks on: line ends, NUL, quotes, lone surrogates, other
 * scripts. Numbers are what JSON can hold.
 */

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\r\n', '\0', '"\\', '\ud800', '\u2028', ',"value":', '日本語', '👩‍👩‍👧'),
);
const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/u);
const place = fc.option(id, { nil: null });
const whole = fc.integer({ min: 0, max: 2 ** 40 });
const hash = fc.stringMatching(/^[0-9a-f]{64}$/u);
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Keys not named as required may be missing, as the core's optional fields are. */
const keys = <const K extends string>(...requiredKeys: K[]) => ({
  requiredKeys,
  noNullPrototype: true,
});
const all = { noNullPrototype: true };

const segment = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((part) => !/[/\0]/u.test(part) && part !== '.' && part !== '..');

/** Keys of files inside and outside the workspace folders. */
export const fileKeys: fc.Arbitrary<FileKey> = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.array(segment, { minLength: 1, maxLength: 3 }))
    .map(([folder, parts]) => `f${folder}/${parts.join('/')}`),
  fc.constantFrom('file:///outside/a.txt', 'vscode-vfs://github/a/b/%23c'),
);

/** Recorded states of every kind. */
export const fileStates: fc.Arbitrary<FileState> = fc.oneof(
  fc.record({ kind: fc.constant('absent' as const) }, all),
  fc.record(
    {
      kind: fc.constant('file' as const),
      hash,
      size: whole,
      mode: fc.integer({ min: 0, max: 0o777 }),
    },
    keys('kind', 'hash', 'size'),
  ),
  fc.record({ kind: fc.constant('folder' as const) }, all),
  fc.record({ kind: fc.constant('symlink' as const), target: text }, all),
  fc.record(
    {
      kind: fc.constant('uncovered' as const),
      reason: fc.constantFrom(
        'too large' as const,
        'special' as const,
        'unreadable' as const,
        'ignored by a command' as const,
        'not copied yet' as const,
        'storage full' as const,
        'unsaved notebook' as const,
        'imported' as const,
      ),
      size: whole,
    },
    keys('kind', 'reason'),
  ),
);

const by = fc.constantFrom('agent' as const, 'hand' as const, 'command' as const, 'move' as const);

/** Links of every type. */
export const links: fc.Arbitrary<Link> = fc.oneof(
  fc.record(
    {
      type: fc.constant('change' as const),
      file: fileKeys,
      before: fileStates,
      after: fileStates,
      by,
      buffer: fc.record({ diskBefore: fileStates, diskAfter: fileStates }, all),
      shared: fc.constant(true as const),
    },
    keys('type', 'file', 'before', 'after', 'by'),
  ),
  fc.record(
    { type: fc.constant('rename' as const), from: fileKeys, to: fileKeys, state: fileStates, by },
    all,
  ),
  fc.record(
    { type: fc.constant('folder' as const), folder: fileKeys, made: fc.boolean(), by },
    all,
  ),
);

const attachments: fc.Arbitrary<Attachment> = fc.oneof(
  fc.record({ uri: fc.webUrl() }, all),
  fc.record({ name: text, mime: fc.constant('text/plain'), base64: fc.base64String() }, all),
);

/** Drafts with attachments of both kinds. */
export const drafts: fc.Arbitrary<Draft> = fc.record(
  { text, attachments: fc.array(attachments, { maxLength: 2 }) },
  all,
);

const parts: fc.Arbitrary<Part> = fc.oneof(
  fc.record(
    { type: fc.constantFrom('text' as const, 'reasoning' as const), text, providerData: json },
    keys('type', 'text'),
  ),
  fc.record(
    {
      type: fc.constant('tool' as const),
      callId: text,
      name: text,
      input: json,
      state: fc.constantFrom(
        'running' as const,
        'done' as const,
        'failed' as const,
        'interrupted' as const,
        'denied' as const,
      ),
      output: text,
      startedAt: whole,
      endedAt: whole,
      providerData: json,
    },
    keys('type', 'callId', 'name', 'input', 'state', 'output', 'startedAt'),
  ),
  fc.record(
    {
      type: fc.constant('todo' as const),
      items: fc.array(fc.record({ text, done: fc.boolean() }, all), { maxLength: 2 }),
    },
    all,
  ),
);

const base = { id, parentId: place, filesFrom: place, createdAt: whole, order: whole };
const baseKeys = ['id', 'parentId', 'filesFrom', 'createdAt', 'order'] as const;
const changes = fc.array(links, { maxLength: 3 });

/** Nodes of every role, with ids that mean nothing. */
export const nodes: fc.Arbitrary<GraphNode> = fc.oneof(
  fc.record(
    {
      ...base,
      role: fc.constant('user' as const),
      text,
      attachments: fc.array(attachments, { maxLength: 2 }),
    },
    all,
  ),
  fc.record(
    {
      ...base,
      role: fc.constant('assistant' as const),
      model: text,
      parts: fc.array(parts, { maxLength: 3 }),
      status: fc.constantFrom('done' as const, 'failed' as const, 'interrupted' as const),
      error: fc.record({ code: text, message: text }, all),
      usage: fc.record({ inputTokens: whole, outputTokens: whole }, keys<never>()),
      changes,
      seen: fc.dictionary(fileKeys, hash, { maxKeys: 2, noNullPrototype: true }),
    },
    keys(...baseKeys, 'role', 'model', 'parts', 'status', 'changes'),
  ),
  fc.record({ ...base, role: fc.constant('notice' as const), text }, all),
  fc.record(
    {
      ...base,
      role: fc.constant('summary' as const),
      text,
      covers: fc.array(id, { maxLength: 3 }),
    },
    all,
  ),
  fc.record({ ...base, role: fc.constant('files' as const), changes }, all),
);

/** Places a session may stand. */
export const standings: fc.Arbitrary<Standing> = fc.record(
  {
    head: place,
    filesHead: place,
    apart: fc.dictionary(fileKeys, place, { maxKeys: 3, noNullPrototype: true }),
  },
  all,
);

/** Journal entries, settled or cut off. */
export const moves: fc.Arbitrary<Move> = fc.record(
  {
    id,
    verb: fc.constantFrom(
      'rewind' as const,
      'edit' as const,
      'regenerate' as const,
      'switch' as const,
      'checkout' as const,
      'undo' as const,
      'redo' as const,
      'files' as const,
    ),
    at: whole,
    target: place,
    before: standings,
    after: standings,
    draftBefore: drafts,
    draftAfter: drafts,
    links: changes,
    takesBack: id,
    results: fc.array(
      fc.record(
        {
          file: fileKeys,
          outcome: fc.constantFrom(
            'restored' as const,
            'merged' as const,
            'deleted' as const,
            'moved' as const,
            'kept' as const,
            'unchanged' as const,
            'uncovered' as const,
            'failed' as const,
          ),
          reason: text,
          added: whole,
          removed: whole,
        },
        keys('file', 'outcome'),
      ),
      { maxLength: 3 },
    ),
    turnsReverted: whole,
  },
  keys(
    'id',
    'verb',
    'at',
    'target',
    'before',
    'after',
    'draftBefore',
    'draftAfter',
    'links',
    'turnsReverted',
  ),
);

/** What sessions are apart from their history. */
export const infos: fc.Arbitrary<SessionInfo> = fc.record(
  {
    id,
    title: text,
    titleLocked: fc.boolean(),
    folders: fc.array(fc.record({ id, uri: fc.webUrl(), name: text }, all), { maxLength: 2 }),
    createdAt: whole,
    archived: fc.boolean(),
    forkedFrom: fc.record({ sessionId: id, messageId: place }, all),
  },
  keys('id', 'title', 'titleLocked', 'folders', 'createdAt', 'archived'),
);

/** What was said of messages. */
export const marks: fc.Arbitrary<Mark> = fc.record(
  { messageId: id, label: text, archived: fc.boolean() },
  keys('messageId'),
);

/** Records of every type. */
export const records: fc.Arbitrary<SessionRecord> = fc.oneof(
  fc.record({ type: fc.constant('info' as const), info: infos }, all),
  fc.record(
    { type: fc.constant('node' as const), node: nodes, standing: standings },
    keys('type', 'node'),
  ),
  fc.record({ type: fc.constant('move' as const), move: moves }, all),
  fc.record({ type: fc.constant('standing' as const), standing: standings }, all),
  fc.record({ type: fc.constant('mark' as const), mark: marks }, all),
);

/** Returns a plain user message. */
export function userNode(id: string, parentId: string | null, text = `text of ${id}`): UserNode {
  return {
    id,
    parentId,
    filesFrom: parentId,
    createdAt: 1,
    order: 0,
    role: 'user',
    text,
    attachments: [],
  };
}

/** Returns the record of a plain user message. */
export function userRecord(id: string, parentId: string | null, text?: string): SessionRecord {
  return { type: 'node', node: userNode(id, parentId, text) };
}

/** Returns what a plain session is. */
export function plainInfo(id: string): SessionInfo {
  return { id, title: 'Plain', titleLocked: false, folders: [], createdAt: 1, archived: false };
}
