import { URI, Utils } from 'vscode-uri';

/*
 * As much of the module `vscode` as the file service asks for where no editor is open and the workspace is trusted: with it
 * the service runs in plain Node, over any file system.
 */

/** `vscode.Uri`, from the package VS Code publishes it in. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath });

/** A workspace without an open document; `workspaceFolders` is the tests' to set. */
export const workspace = {
  isTrusted: true,
  textDocuments: [],
  notebookDocuments: [],
  workspaceFolders: [] as { readonly uri: URI }[],
  fs: { isWritableFileSystem: () => true },
  getWorkspaceFolder: (uri: URI) =>
    workspace.workspaceFolders.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
};

/** A window without tabs. */
export const window = { tabGroups: { all: [] } };

/** English, as it stands in the code. */
export const l10n = { t: (message: string) => message };

/** A kind of tab; no tab is one. */
class NoTab {
  readonly input = undefined;
}

export {
  NoTab as TabInputText,
  NoTab as TabInputCustom,
  NoTab as TabInputNotebook,
  NoTab as TabInputTextDiff,
  NoTab as TabInputNotebookDiff,
};
