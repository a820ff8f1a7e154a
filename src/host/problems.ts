import * as vscode from 'vscode';
import type { FoundProblem } from '../engine/ports';

/** How long a file that is open may take until its language says something, and then to go on saying it. */
const firstWait = 1_200;
const settleWait = 200;
/** A file that had to be opened for it is new to its language. */
const openedWait = 4_000;

/** Languages that said nothing of the last file they were waited for: an edit of such a file need not wait so long again. */
const silent = new Set<string>();

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
  const language = vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === uri,
  )?.languageId;
  if (language === undefined && open) await openQuietly(at);
  if (language === undefined) {
    if (open) await settled(uri, openedWait, signal);
  } else {
    const known = vscode.languages.getDiagnostics(at).length > 0;
    const quick = silent.has(language) && !known && !open;
    const heard = await settled(uri, quick ? settleWait : firstWait, signal);
    if (heard || known) silent.delete(language);
    else if (!signal.aborted) silent.add(language);
  }
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

/** Waits until what is said of a file is said; resolves to whether anything was. */
function settled(uri: string, most: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    let heard = false;
    let timer = setTimeout(end, most);
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((one) => one.toString() === uri)) return;
      heard = true;
      clearTimeout(timer);
      timer = setTimeout(end, settleWait);
    });
    signal.addEventListener('abort', end, { once: true });
    function end(): void {
      clearTimeout(timer);
      listener.dispose();
      signal.removeEventListener('abort', end);
      resolve(heard);
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
