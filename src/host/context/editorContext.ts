import * as vscode from 'vscode';
import { toBase64 } from '../../core/base64';
import { maxAttachmentBytes } from '../../core/estimate';
import { keyLabel, keyPath, uriKey } from '../../core/fileKey';
import type { Attachment } from '../../core/node';
import { RetraceError } from '../../engine/errors';
import type { OpenSession } from '../../engine/openSession';
import type { OfferView } from '../../protocol/viewModel';

/** No more problems are attached; the rest is counted. */
const mostProblems = 200;
/** How long a selection must stand still before it is offered, in milliseconds. */
const pause = 150;

type Folders = OpenSession['info']['folders'];

/** Returns what the editor has that could be attached with one click: the selected text, else the file it shows. */
export function currentOffer({ info: { folders } }: OpenSession): OfferView | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !isOffered(folders, editor.document.uri)) return undefined;
  const { document, selection } = editor;
  if (!selection.isEmpty) return { what: 'selection', label: selectionLabel(folders, editor) };
  const uri = document.uri.toString();
  return { what: 'file', label: labelOf(folders, uri), uri };
}

/** What lies elsewhere is attached only by somebody who goes and gets it. */
function isOffered(folders: Folders, uri: vscode.Uri): boolean {
  return keyPath(uriKey(folders, uri.toString())) !== undefined;
}

/** Calls back when {@link currentOffer} may have changed; returns what ends that. */
export function onOffer(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(listener, pause);
  };
  const watch = vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(later),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) later();
    }),
  );
  return () => {
    clearTimeout(timer);
    watch.dispose();
  };
}

/** Takes the selected text as it is now. Throws `not_found` where none is selected. */
export function takeSelection({ info: { folders } }: OpenSession): Attachment {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || editor.selection.isEmpty) {
    throw new RetraceError('not_found', 'No text is selected in an editor.');
  }
  const text = editor.document.getText(editor.selection);
  return textAttachment(selectionLabel(folders, editor), text);
}

function selectionLabel(
  folders: Folders,
  { document, selection: { start, end } }: vscode.TextEditor,
): string {
  // A selection that ends before the first character of a line has nothing of that line.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const lines = last === start.line + 1 ? `${last}` : `${start.line + 1}-${last}`;
  return `${labelOf(folders, document.uri.toString())}:${lines}`;
}

/** Takes the errors and warnings of the session's folders as they are now. Throws `not_found` where there are none. */
export function takeProblems({ info: { folders } }: OpenSession): Attachment {
  const lines = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, problems]) =>
      isOffered(folders, uri)
        ? problems
            .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
            .map((problem) => problemLine(labelOf(folders, uri.toString()), problem))
        : [],
    );
  if (lines.length === 0) {
    throw new RetraceError('not_found', 'There are no errors or warnings in the Problems view.');
  }
  const more = lines.length - mostProblems;
  const shown = lines.slice(0, mostProblems);
  if (more > 0) shown.push(`(${more} more are left out.)`);
  return textAttachment(vscode.l10n.t('Problems'), shown.join('\n'));
}

function problemLine(
  label: string,
  { message, range, severity, source }: vscode.Diagnostic,
): string {
  const { line, character } = range.start;
  const kind = severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
  const from = source === undefined ? '' : ` (${source})`;
  return `${label}:${line + 1}:${character + 1}: ${kind}: ${message.replace(/\s+/gu, ' ')}${from}`;
}

function labelOf(folders: Folders, uri: string): string {
  return keyLabel(folders, uriKey(folders, uri));
}

function textAttachment(name: string, text: string): Attachment {
  // A character has at most three bytes for each of its units: what is kept is sent whole.
  const most = Math.floor(maxAttachmentBytes / 3) - 100;
  const kept =
    text.length <= most ? text : `${text.slice(0, most)}\n[Cut here: ${text.length} characters.]`;
  return { name, mime: 'text/plain', base64: toBase64(new TextEncoder().encode(kept)) };
}
