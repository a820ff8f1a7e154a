import * as vscode from 'vscode';
import type { FoundProblem } from '../engine/ports';

/** How long a file that is open may take until its language says something, and then to go on saying it. */
const firstWait = 1_200;
const settleWait = 200;
/** A file that had to be opened for it is new to its language. */
const openedWait = 4_000;

/** Returns what VS Code reports for a file, or for all; waits a moment for a language that is still at work. */
export async function findProblems(
  uri: string | undefined,
  open: boolean,
  signal: AbortSignal,
): Promise<readonly FoundProblem[]> {
  if (uri === undefined)
    return vscode.languages
      .getDiagnostics()
      .flatMap(([at, list]) => list.map((one) => found(at, one)));
  const at = vscode.Uri.parse(uri, true);
  const isOpen = vscode.workspace.textDocuments.some(
    (document) => !document.isClosed && document.uri.toString() === uri,
  );
  if (!isOpen && open) await openQuietly(at);
  if (isOpen || open) await settled(uri, isOpen ? firstWait : openedWait, signal);
  return vscode.languages.getDiagnostics(at).map((one) => found(at, one));
}

/** Languages look at open documents only; no tab is shown. */
async function openQuietly(uri: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.openTextDocument(uri);
  } catch {
    // What is no text, or is not there, has no problems to tell.
  }
}

function settled(uri: string, most: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(end, most);
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((one) => one.toString() === uri)) return;
      clearTimeout(timer);
      timer = setTimeout(end, settleWait);
    });
    signal.addEventListener('abort', end, { once: true });
    function end(): void {
      clearTimeout(timer);
      listener.dispose();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}

function found(
  uri: vscode.Uri,
  { severity, range, message, source }: vscode.Diagnostic,
): FoundProblem {
  return {
    uri: uri.toString(),
    line: range.start.line + 1,
    severity:
      severity === vscode.DiagnosticSeverity.Error
        ? 'error'
        : severity === vscode.DiagnosticSeverity.Warning
          ? 'warning'
          : 'note',
    message: source === undefined ? message : `${message} (${source})`,
  };
}
