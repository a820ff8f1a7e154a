import * as vscode from 'vscode';
import type { Agent } from '../engine/ports';

let loaded: Promise<Agent> | undefined;

/** Loads the agent, a bundle of its own, at the first turn: activation never pays for the SDK. */
export function loadAgent(): Promise<Agent> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function load(): Promise<Agent> {
  const { createAgent } = await import('../agent/main');
  return createAgent({ t: (text, ...args) => vscode.l10n.t(text, ...args) });
}
