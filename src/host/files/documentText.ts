import * as vscode from 'vscode';
import { commonLineEnd, minimalEdits, withLineEnds } from './minimalEdits';
import type { LineEnd } from './minimalEdits';

export type Applied =
  | 'done'
  /** Somebody else changed the document meanwhile: nothing more may be written over it. */
  | 'changed meanwhile'
  /** VS Code did not take the edit, for instance because the editor is read-only. */
  | 'refused';

/** Returns the text a document shows once it holds `text`: one line end for all lines. */
export function shownText(document: vscode.TextDocument, text: string): string {
  return withLineEnds(text, commonLineEnd(text, lineEndOf(document)));
}

/** Puts a text into a document by one edit, which one undo takes back; does not save. */
export async function setText(document: vscode.TextDocument, text: string): Promise<Applied> {
  const before = document.getText();
  const lineEnd = commonLineEnd(text, lineEndOf(document));
  const wanted = withLineEnds(text, lineEnd);
  if (before === wanted) return 'done';
  const edits = minimalEdits(before, withLineEnds(text, lineEndOf(document))).map((one) =>
    vscode.TextEdit.replace(
      new vscode.Range(document.positionAt(one.start), document.positionAt(one.end)),
      one.text,
    ),
  );
  if (lineEnd !== lineEndOf(document)) {
    edits.push(
      vscode.TextEdit.setEndOfLine(
        lineEnd === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF,
      ),
    );
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  const applied = await vscode.workspace.applyEdit(edit);
  const now = document.getText();
  if (now === wanted) return 'done';
  return applied || now !== before ? 'changed meanwhile' : 'refused';
}

function lineEndOf(document: vscode.TextDocument): LineEnd {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

/** Says whether VS Code's own steps at saving would change this text; other extensions' steps cannot be foreseen. */
export function saveWouldChange(document: vscode.TextDocument, text: string): boolean {
  const files = vscode.workspace.getConfiguration('files', document);
  const editor = vscode.workspace.getConfiguration('editor', document);
  const on = (configuration: vscode.WorkspaceConfiguration, name: string): boolean =>
    configuration.get<unknown>(name) === true;
  if (on(editor, 'formatOnSave') || hasActions(editor.get<unknown>('codeActionsOnSave'))) {
    return true;
  }
  if (on(files, 'trimTrailingWhitespace') && /[ \t](?:\r|\n|$)/u.test(text)) return true;
  if (on(files, 'insertFinalNewline') && /[^\r\n]$/u.test(text)) return true;
  return on(files, 'trimFinalNewlines') && /(?:\r\n|\r|\n)(?:\r\n|\r|\n)$/u.test(text);
}

function hasActions(setting: unknown): boolean {
  if (typeof setting !== 'object' || setting === null) return false;
  return Object.values(setting).some((value) => value !== false && value !== 'never');
}

/**
 * Waits until a clean document shows `text`, which was written under it, and says whether it does. VS Code learns of the
 * write from its file watcher, so this takes a moment, and for ever where the path is not watched.
 */
export async function untilShown(
  document: vscode.TextDocument,
  text: string | undefined,
  milliseconds: number,
): Promise<boolean> {
  const arrived = (): boolean =>
    document.isClosed ||
    document.isDirty ||
    text === undefined ||
    document.getText() === shownText(document, text);
  if (arrived()) return true;
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      for (const one of listeners) one.dispose();
      resolve(arrived());
    };
    const timer = setTimeout(end, milliseconds);
    const check = (changed: vscode.TextDocument): void => {
      if (changed === document && arrived()) end();
    };
    const listeners = [
      vscode.workspace.onDidChangeTextDocument((event) => check(event.document)),
      vscode.workspace.onDidCloseTextDocument(check),
    ];
  });
}
