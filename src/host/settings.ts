import * as v from 'valibot';
import * as vscode from 'vscode';
import { modes, type Mode } from '../core/mode';
import type { MoveVerb } from '../core/journal';
import type { ApprovalRule, RuledKind } from '../engine/approvals';
import type { Scope } from '../engine/movePlan';
import type { SendKey } from '../protocol/viewModel';
import type { SettingId } from './contributions';
import { noticeKinds, type NoticeKind } from './notices';

const scope = v.fallback(v.picklist(['both', 'chat', 'files']), 'both');
const withoutNumber = v.fallback(v.picklist(['list', 'last']), 'list');
/** Names at the top of a folder or below it; nothing that could lead elsewhere. */
const instructionFiles = v.fallback(
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^(?!.*(?:^|\/)\.\.(?:\/|$))[^/\\:][^\\:]*$/u))),
    v.maxLength(10),
  ),
  ['AGENTS.md'],
);
const sendKey = v.fallback(v.picklist(['enter', 'ctrlEnter']), 'enter');
const rules = v.picklist(['ask', 'allow', 'deny']);
const mode = v.fallback(v.picklist(modes), 'agent');
const callLimit = v.fallback(v.pipe(v.number(), v.integer(), v.minValue(0)), 50);
/** Megabytes. */
const budget = v.fallback(v.pipe(v.number(), v.minValue(1)), 2_000);
const toolNames = v.fallback(v.array(v.string()), []);
const notices = v.fallback(v.picklist(noticeKinds), 'waiting');
const modelId = v.fallback(v.pipe(v.string(), v.minLength(1)), 'practice');

/** The settings as they are at each call; a value of the wrong shape counts as the careful default. */
export const settings = {
  /** As written; {@link parseModels} makes sense of it. */
  models: (): unknown => read('retrace.models'),
  setModels: async (entries: readonly unknown[]): Promise<void> => {
    await vscode.workspace
      .getConfiguration()
      .update('retrace.models', entries, vscode.ConfigurationTarget.Global);
  },
  model: (): string => v.parse(modelId, read('retrace.model')),
  setModel: async (id: string): Promise<void> => {
    await vscode.workspace
      .getConfiguration()
      .update('retrace.model', id, vscode.ConfigurationTarget.Global);
  },
  mode: (): Mode => v.parse(mode, read('retrace.mode')),
  rewindScope: (): Scope => v.parse(scope, read('retrace.rewind.defaultScope')),
  withoutNumber: (): 'list' | 'last' =>
    v.parse(withoutNumber, read('retrace.rewind.withoutNumber')),
  instructionFiles: (): readonly string[] =>
    v.parse(instructionFiles, read('retrace.instructions.files')),
  sendKey: (): SendKey => v.parse(sendKey, read('retrace.chat.sendKey')),
  tools: (): readonly string[] => v.parse(toolNames, read('retrace.tools')),
  setTools: async (names: readonly string[]): Promise<void> => {
    await vscode.workspace
      .getConfiguration()
      .update('retrace.tools', names, vscode.ConfigurationTarget.Global);
  },
  notices: (): NoticeKind => v.parse(notices, read('retrace.notifications')),
  callLimit: (): number => v.parse(callLimit, read('retrace.maxModelCalls')),
  reviewInline: (): boolean =>
    v.parse(v.fallback(v.boolean(), true), read('retrace.review.inline')),
  modelTitles: (): boolean =>
    v.parse(v.fallback(v.boolean(), false), read('retrace.sessions.modelTitles')),
  approval: (kind: RuledKind): ApprovalRule =>
    v.parse(v.fallback(rules, 'ask'), read(`retrace.approvals.${kind}`)),
  /** Bytes. */
  storageBudget: (): number => v.parse(budget, read('retrace.storage.budget')) * 1_000_000,
  setStorageBudget: async (megabytes: number): Promise<void> => {
    await vscode.workspace
      .getConfiguration()
      .update('retrace.storage.budget', megabytes, vscode.ConfigurationTarget.Global);
  },
} as const;

function read(id: SettingId): unknown {
  return vscode.workspace.getConfiguration().get(id);
}

/** What a move takes along when nobody says: the setting speaks of rewinding, everything else takes both. */
export function defaultScope(verb: MoveVerb): Scope {
  return verb === 'rewind' ? settings.rewindScope() : 'both';
}

/** Calls back when a setting may have changed; returns what ends that. */
export function onSetting(id: SettingId, listener: () => void): () => void {
  const watch = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(id)) listener();
  });
  return () => void watch.dispose();
}
