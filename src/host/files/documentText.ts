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

/** Says whether the document has to change its line end to show `text`. */
export function changesLineEnd(document: vscode.TextDocument, text: string): boolean {
  return commonLineEnd(text, lineEndOf(document)) !== lineEndOf(document);
}

/**
 * Puts a text into a document by one edit, which one undo takes back; does not save. A change of the line end is an edit
 * of its own in front: undoing both as one, VS Code applies the offsets of one line end to the other and mixes texts.
 */
export async function setText(document: vscode.TextDocument, text: string): Promise<Applied> {
  const lineEnd = commonLineEnd(text, lineEndOf(document));
  if (lineEnd !== lineEndOf(document)) {
    const eol = lineEnd === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
    const wanted = withLineEnds(document.getText(), lineEnd);
    const applied = await apply(document, [vscode.TextEdit.setEndOfLine(eol)], wanted);
    if (applied !== 'done') return applied;
  }
  const wanted = withLineEnds(text, lineEnd);
  const edits = minimalEdits(document.getText(), wanted).map((one) =>
    vscode.TextEdit.replace(
      new vscode.Range(document.positionAt(one.start), document.positionAt(one.end)),
      one.text,
    ),
  );
  return apply(document, edits, wanted);
}

async function apply(
  document: vscode.TextDocument,
  edits: vscode.TextEdit[],
  wanted: string,
): Promise<Applied> {
  const before = document.getText();
  if (before === wanted) return 'done';
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  const applied = await vscode.workspace.applyEdit(edit);
  // That it was applied proves nothing: somebody may have typed in the same moment.
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
 * Waits until a clean document shows one of `texts`, which was written under it, and says whether it does. VS Code learns of the
 * write from its file watcher, so this takes a moment, and for ever where the path is not watched.
 */
export async function untilShown(
  document: vscode.TextDocument,
  texts: readonly string[],
  milliseconds: number,
): Promise<boolean> {
  const arrived = (): boolean =>
    document.isClosed ||
    document.isDirty ||
    texts.some((text) => document.getText() === shownText(document, text));
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
