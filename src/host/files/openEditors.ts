import * as vscode from 'vscode';

/** What editors hold of one file at this moment. */
export interface OpenEditors {
  /** The open text document, with a tab or without. */
  readonly document: vscode.TextDocument | undefined;
  readonly hasTab: boolean;
  /** An unsaved editor whose content extensions cannot read: a notebook, a custom editor, a text too large. */
  readonly unreadable: 'notebook' | 'editor' | undefined;
}

/** Returns what editors hold of a file. Opens nothing. */
export function openEditors(uri: vscode.Uri): OpenEditors {
  const name = uri.toString();
  const isIt = (other: vscode.Uri | undefined): boolean => other?.toString() === name;
  const document = vscode.workspace.textDocuments.find((one) => !one.isClosed && isIt(one.uri));
  const tabs = vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.filter((tab) => tabUris(tab).some(isIt)),
  );
  const notebook = vscode.workspace.notebookDocuments.some((one) => one.isDirty && isIt(one.uri));
  // A text document says itself whether it is saved; its tab's mark comes a moment later.
  const unreadableTab = tabs.some(
    ({ isDirty, input }) =>
      isDirty &&
      document?.isDirty !== true &&
      (input instanceof vscode.TabInputCustom ||
        (input instanceof vscode.TabInputText && document === undefined)),
  );
  return {
    document,
    hasTab: tabs.length > 0,
    unreadable: notebook ? 'notebook' : unreadableTab ? 'editor' : undefined,
  };
}

function tabUris({ input }: vscode.Tab): readonly vscode.Uri[] {
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  ) {
    return [input.uri];
  }
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return [input.original, input.modified];
  }
  return [];
}
