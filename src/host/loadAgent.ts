import * as vscode from 'vscode';
import type { AgentOptions } from '../agent/main';
import type { Agent } from '../engine/ports';
import { askEditorModel } from './lm/editorModels';

let loaded: Promise<Agent> | undefined;

type OnNoTools = NonNullable<AgentOptions['onNoTools']>;

/** Loads the agent, a bundle of its own, at the first turn: activation never pays for the SDK. */
export function loadAgent(onNoTools: OnNoTools): Promise<Agent> {
  loaded ??= load({ onNoTools }).catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

/** Loads an agent that tries once: to see whether a model answers, and for what can do without an answer. */
export function loadTester(onNoTools: OnNoTools): Promise<Agent> {
  return load({ onNoTools, retryDelaysMs: [] });
}

async function load(options: AgentOptions): Promise<Agent> {
  const { createAgent } = await import('../agent/main');
  return createAgent({
    t: (text, ...args) => vscode.l10n.t(text, ...args),
    editorModel: askEditorModel,
    ...options,
  });
}
