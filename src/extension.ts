import * as vscode from 'vscode';

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('retrace.chat', {
      resolveWebviewView(view) {
        view.webview.options = { enableScripts: false };
        view.webview.html =
          '<!DOCTYPE html><html lang="en"><body><p id="hello">Retrace</p></body></html>';
      },
    }),
  );
}
