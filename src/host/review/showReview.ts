import * as vscode from 'vscode';
import type { Log } from '../../engine/ports';
import { onSetting, settings } from '../settings';
import { decorations } from './decorations';
import { ReviewLenses } from './lenses';
import { Marks } from './marks';
import type { Review } from './review';

/** Shows the review in editors while the setting says so. */
export function showReview(review: Review, log: Log): vscode.Disposable {
  let shown: vscode.Disposable | undefined;
  const update = (): void => {
    if (settings.reviewInline() === (shown !== undefined)) return;
    shown?.dispose();
    shown = settings.reviewInline() ? show(review, log) : undefined;
  };
  const end = onSetting('retrace.review.inline', update);
  update();
  return new vscode.Disposable(() => {
    end();
    shown?.dispose();
  });
}

function show(review: Review, log: Log): vscode.Disposable {
  const marks = new Marks(review, log);
  const lenses = new ReviewLenses(marks);
  return vscode.Disposable.from(
    vscode.languages.registerCodeLensProvider({ pattern: '**' }, lenses),
    lenses,
    decorations(marks),
    marks,
  );
}
