import * as v from 'valibot';
import * as vscode from 'vscode';
import { modes } from '../../core/mode';
import { RetraceError } from '../../engine/errors';
import { modelEntry } from '../modelList';

const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const sessionId = v.optional(id);
const uri = v.pipe(v.string(), v.maxLength(8_000));
const scope = v.optional(v.picklist(['both', 'chat', 'files']));
const onConflict = v.optional(v.picklist(['ask', 'keep', 'restore']));
const confirm = v.optional(v.boolean());
const attachment = v.union([
  v.strictObject({ uri }),
  v.strictObject({ name: v.string(), mime: v.string(), base64: v.string() }),
]);
const attachments = v.optional(v.array(attachment), []);
const draft = v.strictObject({ text: v.string(), attachments });

/** How each command's argument object looks; a key that is not here is refused by name. */
export const schemas = {
  session: v.strictObject({ sessionId }),
  menu: v.strictObject({ sessionId, messageId: v.optional(id) }),
  newSession: v.strictObject({ title: v.optional(v.string()) }),
  openSession: v.strictObject({ sessionId }),
  listSessions: v.strictObject({
    archived: v.optional(v.boolean()),
    text: v.optional(v.pipe(v.string(), v.maxLength(1_000))),
  }),
  renameSession: v.strictObject({ sessionId, title: v.optional(v.string()) }),
  archiveSession: v.strictObject({ sessionId, archived: v.optional(v.boolean()) }),
  deleteSession: v.strictObject({ sessionId, confirm }),
  exportSession: v.strictObject({
    sessionId,
    format: v.optional(v.picklist(['json', 'markdown'])),
    uri: v.optional(uri),
  }),
  adoptSessions: v.strictObject({ from: v.optional(uri), to: v.optional(uri) }),
  restoreBackup: v.strictObject({ sessionId, name: v.optional(id) }),
  checkSessions: v.strictObject({ sessionId, repair: v.optional(v.boolean()) }),
  cleanUpStorage: v.strictObject({
    sessionIds: v.optional(v.array(id)),
    preview: v.optional(v.boolean()),
    confirm,
  }),
  importSession: v.strictObject({ uri: v.optional(uri), text: v.optional(v.string()) }),
  send: v.strictObject({
    text: v.string(),
    sessionId,
    model: v.optional(id),
    attachments,
  }),
  continueSummarised: v.strictObject({ sessionId, model: v.optional(id) }),
  rewind: v.strictObject({
    sessionId,
    messageId: v.optional(id),
    turns: v.optional(v.number()),
    scope,
    onConflict,
    confirm,
  }),
  regenerate: v.strictObject({
    sessionId,
    messageId: v.optional(id),
    model: v.optional(id),
    scope,
    onConflict,
    confirm,
  }),
  editAndResend: v.strictObject({
    sessionId,
    messageId: id,
    text: v.string(),
    attachments: v.optional(v.array(attachment)),
    model: v.optional(id),
    scope,
    onConflict,
    confirm,
  }),
  labelMessage: v.strictObject({ sessionId, messageId: id, label: v.optional(v.string()) }),
  archiveBranch: v.strictObject({ sessionId, messageId: id, archived: v.optional(v.boolean()) }),
  compareMessages: v.strictObject({ sessionId, messageId: id, with: v.optional(id) }),
  goTo: v.strictObject({ sessionId, messageId: id, scope, onConflict, confirm }),
  takeBack: v.strictObject({ sessionId, onConflict, confirm }),
  retryFiles: v.strictObject({ sessionId, uris: v.optional(v.array(uri)), onConflict, confirm }),
  goToChange: v.strictObject({}),
  reviewed: v.strictObject({
    uri: v.optional(uri),
    change: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    onConflict,
    confirm,
  }),
  fork: v.strictObject({
    sessionId,
    messageId: v.optional(id),
    turns: v.optional(v.number()),
  }),
  setDraft: v.strictObject({ sessionId, draft }),
  addToChat: v.strictObject({
    sessionId,
    uris: v.optional(v.pipe(v.array(uri), v.minLength(1), v.maxLength(100))),
    selection: v.optional(v.boolean()),
  }),
  copyMessage: v.strictObject({ sessionId, messageId: id }),
  find: v.strictObject({
    sessionId,
    text: v.optional(v.string()),
    everywhere: v.optional(v.boolean()),
  }),
  getStarted: v.strictObject({}),
  addModel: v.strictObject({ model: v.optional(modelEntry) }),
  setApiKey: v.strictObject({ model: v.optional(id), key: v.optional(v.string()) }),
  selectModel: v.strictObject({ model: v.optional(id), sessionId }),
  selectMode: v.strictObject({ mode: v.optional(v.picklist(modes)), sessionId }),
  selectTools: v.strictObject({ tools: v.optional(v.array(id)) }),
  answerApproval: v.strictObject({
    approvalId: id,
    answer: v.picklist(['once', 'session', 'always', 'asIs', 'deny']),
  }),
} as const;

/** What the page's context menu hands over: the message, and keys that VS Code's menus go by. */
const menu = v.object({
  webview: v.string(),
  sessionId,
  messageId: v.optional(id),
});

/** Says whether a person called through a palette, key or menu, rather than a program with an argument of its own. */
export function isInteractive(raw: unknown): boolean {
  return raw === undefined || raw === null || v.is(menu, raw);
}

/** Parses a command's argument; throws `invalid` that names what is wrong with it. */
export function parseArgument<S extends v.GenericSchema>(
  schema: S,
  raw: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, given(raw));
  if (parsed.success) return parsed.output;
  throw new RetraceError('invalid', problems(parsed.issues));
}

function given(raw: unknown): unknown {
  if (raw === undefined || raw === null) return {};
  const fromMenu = v.safeParse(menu, raw);
  if (!fromMenu.success) return raw;
  const { sessionId, messageId } = fromMenu.output;
  return {
    ...(sessionId !== undefined && { sessionId }),
    ...(messageId !== undefined && { messageId }),
  };
}

function problems(issues: readonly v.BaseIssue<unknown>[]): string {
  const unknown = new Set<string>();
  const missing = new Set<string>();
  const wrong = new Set<string>();
  for (const issue of issues) {
    const path = v.getDotPath(issue);
    if (path === null) wrong.add(vscode.l10n.t('the argument'));
    else if (issue.type === 'strict_object' && issue.expected === 'never') unknown.add(path);
    else if (issue.type === 'strict_object' && issue.received === 'undefined') missing.add(path);
    else wrong.add(path);
  }
  const list = (names: ReadonlySet<string>): string => [...names].join(', ');
  return [
    ...(unknown.size > 0 ? [vscode.l10n.t('There is no argument {0}.', list(unknown))] : []),
    ...(missing.size > 0 ? [vscode.l10n.t('Missing: {0}.', list(missing))] : []),
    ...(wrong.size > 0 ? [vscode.l10n.t('Wrong value: {0}.', list(wrong))] : []),
  ].join(' ');
}
