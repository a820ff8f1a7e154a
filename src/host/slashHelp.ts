import * as vscode from 'vscode';
import { slashWords } from '../core/slash';

type Word = (typeof slashWords)[number];

/** Returns what `/help` says: every word with what it does. */
export function helpText(): string {
  const { t } = vscode.l10n;
  const lines: Record<Word, string> = {
    rewind: t('/rewind lists your messages; /rewind N goes back to number N, files included'),
    fork: t('/fork makes a new session from here; /fork N leaves out the last N turns'),
    regen: t('/regen answers the last message again'),
    undo: t('/undo takes back the last move'),
    redo: t('/redo does the move again that was taken back'),
    new: t('/new begins a new session'),
    help: t('/help shows this list'),
  };
  return slashWords.map((word) => lines[word]).join('\n');
}
