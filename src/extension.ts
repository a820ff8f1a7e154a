import type * as vscode from 'vscode';
import { Composition } from './host/compose';

let composition: Composition | undefined;

/** Registers everything and opens nothing: the store, the agent and the page come when they are first needed. */
export function activate(context: vscode.ExtensionContext): void {
  composition = new Composition(context);
  context.subscriptions.push(composition);
}

/** Resolves when running turns have settled and everything is on disk. */
export async function deactivate(): Promise<void> {
  await composition?.close();
  composition = undefined;
}
