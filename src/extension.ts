import * as vscode from 'vscode';
import { Composition } from './host/compose';
import { viewIds } from './host/contributions';

let composition: Composition | undefined;

/** Registers everything and opens nothing: the store, the agent and the page come when they are first needed. */
export function activate(context: vscode.ExtensionContext): void {
  composition = new Composition(context);
  context.subscriptions.push(
    composition,
    vscode.window.registerWebviewViewProvider(viewIds.chat, {
      resolveWebviewView(view) {
        view.webview.options = { enableScripts: false };
        view.webview.html =
          '<!DOCTYPE html><html lang="en"><body><p id="hello">Retrace</p></body></html>';
      },
    }),
  );
}

/** Resolves when running turns have settled and everything is on disk. */
export async function deactivate(): Promise<void> {
  await composition?.close();
  composition = undefined;
}
