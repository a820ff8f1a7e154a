import * as vscode from 'vscode';
import type { ReviewedChange } from '../../core/review';
import { byteText } from './removedText';
import type { Marks } from './marks';

/** Lines of the old text shown under the pointer. */
const shownLines = 30;

/** Marks the changes of the last reply in every editor in sight. */
export function decorations(marks: Marks): vscode.Disposable {
  const added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    // Themes of high contrast have no background for lines.
    borderStyle: 'solid',
    borderWidth: '0 0 0 2px',
    borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
  });
  const removed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderStyle: 'dashed',
    borderWidth: '1px 0 0 0',
    borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  const draw = (): void => {
    for (const editor of vscode.window.visibleTextEditors) {
      const changes = marks.of(editor.document.uri)?.changes ?? [];
      const options = (change: ReviewedChange): vscode.DecorationOptions => ({
        range: lines(editor.document, change),
        ...(change.removed.length > 0 && { hoverMessage: oldText(change, editor.document) }),
      });
      editor.setDecorations(added, changes.filter((one) => one.end > one.start).map(options));
      editor.setDecorations(removed, changes.filter((one) => one.end === one.start).map(options));
    }
  };
  const end = marks.changed.on(draw);
  draw();
  return new vscode.Disposable(() => {
    end();
    added.dispose();
    removed.dispose();
  });
}

/** Removed lines are marked above the line that followed them. */
export function lines(
  { lineCount }: vscode.TextDocument,
  { start, end }: Pick<ReviewedChange, 'start' | 'end'>,
): vscode.Range {
  const first = Math.min(start, lineCount - 1);
  return new vscode.Range(first, 0, Math.max(first, Math.min(end, lineCount) - 1), 0);
}

function oldText(
  { removed }: ReviewedChange,
  document: vscode.TextDocument,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString(vscode.l10n.t('Before the reply:'));
  const shown = removed.slice(0, shownLines);
  text.appendCodeblock(byteText(shown.join('')), document.languageId);
  const more = removed.length - shown.length;
  if (more > 0) text.appendText(vscode.l10n.t('… and {0} more lines', more));
  return text;
}
