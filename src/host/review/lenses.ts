import * as vscode from 'vscode';
import type { ReviewedChange } from '../../core/review';
import type { CommandId } from '../contributions';
import { lines } from './decorations';
import type { Marks } from './marks';
import type { OpenChanges } from './review';

/** Offers *Keep* and *Undo* above each change of the last reply, and for the whole file above its first line. */
export class ReviewLenses implements vscode.CodeLensProvider {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  readonly #end: () => void;

  constructor(private readonly marks: Marks) {
    this.#end = marks.changed.on(() => this.#changed.fire());
  }

  dispose(): void {
    this.#end();
    this.#changed.dispose();
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const open = this.marks.of(document.uri);
    if (open === undefined) return [];
    const { changes } = open;
    return [
      ...fileLenses(open),
      ...(changes ?? []).flatMap((change) => changeLenses(document, open.uri, change)),
    ];
  }
}

function fileLenses({ uri, changes }: OpenChanges): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  return [
    lens(top, titleOf(changes?.length), 'retrace.nextChange', undefined),
    lens(top, vscode.l10n.t('Keep File'), 'retrace.keepFile', { uri }),
    lens(top, vscode.l10n.t('Undo File'), 'retrace.undoFile', { uri }),
  ];
}

/** A file may be changed in a way lines do not tell: by its name, or as something else than text. */
function titleOf(count: number | undefined): string {
  if (count === undefined || count === 0)
    return vscode.l10n.t('Retrace: changed by the last reply');
  return count === 1
    ? vscode.l10n.t('Retrace: 1 change of the last reply')
    : vscode.l10n.t('Retrace: {0} changes of the last reply', count);
}

function changeLenses(
  document: vscode.TextDocument,
  uri: string,
  change: ReviewedChange,
): vscode.CodeLens[] {
  const range = lines(document, change);
  const { index, state, start, end, removed } = change;
  const argument = { uri, change: index };
  const keep = lens(range, vscode.l10n.t('Keep'), 'retrace.keepChange', argument);
  const undo =
    state === 'edited'
      ? plain(range, vscode.l10n.t('Edited since'))
      : lens(range, vscode.l10n.t('Undo'), 'retrace.undoChange', argument);
  return [plain(range, counted(end - start, removed.length)), keep, undo];
}

function counted(added: number, removed: number): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ');
}

function lens(
  range: vscode.Range,
  title: string,
  command: CommandId,
  argument: object | undefined,
): vscode.CodeLens {
  const args = argument === undefined ? [] : [argument];
  return new vscode.CodeLens(range, { title, command, arguments: args });
}

function plain(range: vscode.Range, title: string): vscode.CodeLens {
  return new vscode.CodeLens(range, { title, command: '' });
}
