import { keyLabel, type SessionFolder } from '../../core/fileKey';
import { isPlain, type PlannedFile } from '../../core/plan';
import type { MovePlan } from '../../engine/movePlan';
import type { OpenSession } from '../../engine/openSession';
import type { PlannedFileView, Scope, SheetView } from '../../protocol/viewModel';
import type { Translate } from '../../engine/ports';
import { conflictReason, filesPlaceName, fileUri, placeName, uncoveredReason } from './words';

/** Returns the question before a move: what moves, and what would come of each file. */
export function presentSheet(session: OpenSession, plan: MovePlan, t: Translate): SheetView {
  const { verb, scope } = plan.request;
  return {
    planId: plan.planId,
    verb,
    title: titleOf(session, plan, t),
    detail: detailOf(plan, t),
    action: actionOf(plan, t),
    scope,
    scopes: scopesOf(plan),
    files: shownFiles(plan).map((file) => fileRow(session, file, t)),
    replanned: plan.replanned,
    plain: isPlain(plan.files),
  };
}

function scopesOf({ request }: MovePlan): readonly Scope[] {
  const fixed = request.verb === 'undo' || request.verb === 'redo' || request.verb === 'files';
  return fixed ? [request.scope] : ['both', 'chat', 'files'];
}

function titleOf({ state }: OpenSession, plan: MovePlan, t: Translate): string {
  const node = plan.target === null ? undefined : state.nodes.get(plan.target);
  const asked = node?.role === 'assistant' ? state.nodes.get(node.parentId ?? '') : node;
  const name = placeName(t, asked);
  switch (plan.request.verb) {
    case 'rewind':
      return t('Rewind to {0}', name);
    case 'edit':
      return t('Edit and send again {0}', name);
    case 'regenerate':
      return t('Answer again {0}', name);
    case 'switch':
      return t('Switch to another version of {0}', name);
    case 'checkout':
      return node?.role === 'user'
        ? t('Rewind to {0}', name)
        : t('Check out the reply to {0}', name);
    case 'files':
      return plan.target === null ? t('Bring files here') : t('Undo changes of the reply');
    case 'undo':
      return t('Undo the last move');
    case 'redo':
      return t('Do the undone move again');
  }
}

function actionOf({ request, target }: MovePlan, t: Translate): string {
  switch (request.verb) {
    case 'rewind':
      return t('Rewind');
    case 'edit':
      return t('Send');
    case 'regenerate':
      return t('Regenerate');
    case 'switch':
      return t('Switch');
    case 'checkout':
      return t('Check Out');
    case 'files':
      return target === null ? t('Bring Here') : t('Undo');
    case 'undo':
      return t('Undo');
    case 'redo':
      return t('Redo');
  }
}

function detailOf(plan: MovePlan, t: Translate): string {
  const { verb, scope } = plan.request;
  if (verb === 'files') return t('The conversation stays as it is.');
  const texts: string[] = [];
  if (verb === 'undo' || verb === 'redo') {
    texts.push(t('The conversation and the files go back to where they were.'));
  } else if (scope === 'files') {
    texts.push(t('The conversation stays as it is.'));
  } else if (plan.turnsReverted === 1) {
    texts.push(t('1 turn goes to another branch, where it stays.'));
  } else if (plan.turnsReverted > 1) {
    texts.push(t('{0} turns go to another branch, where they stay.', plan.turnsReverted));
  }
  if (scope === 'chat') texts.push(t('The files stay as they are.'));
  if (verb === 'regenerate') texts.push(t('The present reply stays beside the new one.'));
  if (verb === 'edit') texts.push(t('The present message stays beside the new one.'));
  if (plan.draft !== undefined && verb !== 'undo' && verb !== 'redo')
    texts.push(t('Your text returns to the composer.'));
  return texts.join(' ');
}

/**
 * The source of a rename is told by its target's row. Folders come and go with their files, so they are told only where
 * there is nothing else to tell.
 */
function shownFiles({ files }: MovePlan): readonly PlannedFile[] {
  const sources = new Set(files.files.map((file) => file.movedFrom));
  const changed = files.files.filter(
    (file) => file.kind !== 'unchanged' && !sources.has(file.file),
  );
  const plain = changed.filter((file) => !isFolder(file));
  return plain.length > 0 ? plain : changed;
}

function isFolder({ result, current, problem }: PlannedFile): boolean {
  if (problem !== undefined) return false;
  return result.kind === 'folder' || current.state.kind === 'folder';
}

const outcomes = {
  unchanged: 'unchanged',
  restore: 'restored',
  merge: 'merged',
  delete: 'deleted',
  move: 'moved',
  conflict: 'conflict',
  'stands at': 'stands at',
  uncovered: 'uncovered',
} as const satisfies Record<PlannedFile['kind'], PlannedFileView['outcome']>;

function fileRow(session: OpenSession, file: PlannedFile, t: Translate): PlannedFileView {
  const { folders } = session.info;
  return {
    uri: fileUri(folders, file.file),
    label: keyLabel(folders, file.file),
    outcome: outcomes[file.kind],
    tag: tagOf(session, folders, file, t),
    ...(file.added !== undefined && { added: file.added }),
    ...(file.removed !== undefined && { removed: file.removed }),
    choices: file.choices,
    canCompare: canCompare(file),
  };
}

function tagOf(
  { state }: OpenSession,
  folders: readonly SessionFolder[],
  file: PlannedFile,
  t: Translate,
): string {
  switch (file.kind) {
    case 'unchanged':
      return t('stays');
    case 'restore':
      return isFolder(file) ? t('folder made again') : t('restore');
    case 'delete':
      return isFolder(file) ? t('folder removed if empty') : t('delete');
    case 'merge':
      return t('merged: your lines stay');
    case 'move':
      return t('moved from {0}', keyLabel(folders, file.movedFrom ?? file.file));
    case 'stands at': {
      return t('stands at {0}', filesPlaceName(t, state.nodes, file.standsAt ?? null));
    }
    case 'conflict':
      return file.problem?.kind === 'conflict'
        ? conflictReason(t, file.problem.why)
        : t('changed meanwhile');
    case 'uncovered':
      return t('not covered: {0}', lostReason(file, t));
  }
}

function lostReason(file: PlannedFile, t: Translate): string {
  const why = file.problem?.kind === 'uncovered' ? file.problem.why : 'unreadable';
  const lost = [file.target, file.current.state].find((state) => state?.kind === 'uncovered');
  return uncoveredReason(t, why, lost?.kind === 'uncovered' ? lost.size : undefined);
}

/** There is something to compare where both sides have bytes, or one has and the other is no file. */
function canCompare(file: PlannedFile): boolean {
  if (file.kind === 'uncovered' || file.kind === 'unchanged' || isFolder(file)) return false;
  return file.problem === undefined || file.choices.includes('restore');
}
