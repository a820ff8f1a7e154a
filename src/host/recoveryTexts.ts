import * as vscode from 'vscode';
import type { RecoveryTexts } from '../engine/others';

/** What is said of a session that opens damaged, or with work that was cut off. */
export const recoveryTexts: RecoveryTexts = {
  damaged: (count) =>
    vscode.l10n.t(
      'Parts of this session could not be read ({0}). Everything else is here, and a copy of the damaged parts was kept.',
      count,
    ),
  finishedMove: (failed) =>
    failed.length === 0
      ? vscode.l10n.t('A move that was cut off has been finished.')
      : vscode.l10n.t(
          'A move that was cut off has been finished, except for files changed since: {0}.',
          failed.join(', '),
        ),
  unreachable: (count, beginnings) =>
    beginnings.length === 0
      ? vscode.l10n.t(
          'What {0} messages follow is missing or damaged, so they cannot be reached. Nothing was removed; Check Sessions makes a repaired copy.',
          count,
        )
      : vscode.l10n.t(
          'What {0} messages follow is missing or damaged, so they cannot be reached: {1}. Nothing was removed; Check Sessions makes a repaired copy.',
          count,
          beginnings.map((text) => `“${text}”`).join(', '),
        ),
  headLost: () =>
    vscode.l10n.t(
      'The message this session stood at could not be read. It now stands at the nearest one that could.',
    ),
  twice: (count) =>
    vscode.l10n.t(
      'Messages were stored under the id of another one ({0}). The first of each is shown; the others are kept in the store.',
      count,
    ),
  replyAlone: () =>
    vscode.l10n.t(
      'A reply that was cut off belongs to a message that could not be read. It is kept in the store.',
    ),
};
