import { linkFiles, type FileState } from '../../core/changes';
import { stepsBetween } from '../../core/route';
import { keyLabel, type FileKey, type SessionFolder } from '../../core/fileKey';
import { changesOf, type AssistantNode } from '../../core/node';
import type { OpenSession } from '../../engine/openSession';
import { partsUndone } from '../../engine/reviewTurn';
import type { FileChangeKind, FilesLineView, FileView } from '../../protocol/viewModel';
import type { LineCounts } from './lineCounts';
import type { Translate } from '../../engine/ports';
import { foldTurn, type TurnFile } from '../../core/turnFiles';
import { fileUri, filesPlaceName, uncoveredReason } from './words';

/** A reply's file card: one row a file, and whether its line counts are all known. */
export interface FileCard {
  readonly files: readonly FileView[];
  readonly complete: boolean;
}

/** Rows further down say nothing about lines: a turn that touched thousands of files must not be counted for minutes. */
const countedRows = 500;

/** Returns what a reply did to files, one row each. */
export function presentFiles(
  node: AssistantNode,
  folders: readonly SessionFolder[],
  counts: LineCounts,
  t: Translate,
): FileCard {
  let complete = true;
  const files = foldTurn(changesOf(node)).map((file, row) => {
    const counted = row < countedRows ? counts.get(file.before, file.after) : {};
    complete &&= counted !== undefined;
    return fileRow(file, folders, counted, t);
  });
  return { files, complete };
}

function fileRow(
  file: TurnFile,
  folders: readonly SessionFolder[],
  counted: { readonly added?: number; readonly removed?: number } | undefined,
  t: Translate,
): FileView {
  const lost = lostSide(file);
  return {
    uri: fileUri(folders, file.file),
    label: keyLabel(folders, file.file),
    kind: kindOf(file),
    byHand: file.byHand,
    ...(file.from !== undefined && { from: keyLabel(folders, file.from) }),
    ...(lost && { uncovered: uncoveredReason(t, lost.reason, lost.size) }),
    ...counted,
  };
}

function lostSide({
  before,
  after,
}: TurnFile): Extract<FileState, { kind: 'uncovered' }> | undefined {
  if (after.kind === 'uncovered') return after;
  return before.kind === 'uncovered' ? before : undefined;
}

function kindOf(file: TurnFile): FileChangeKind {
  if (file.after.kind === 'absent') return 'deleted';
  if (file.from !== undefined) return 'renamed';
  if (file.before.kind === 'absent') return 'created';
  return lostSide(file) === undefined ? 'changed' : 'uncovered';
}

/** No more files that stand elsewhere are named in the line. */
const namedApart = 3;

/** Returns where the files are, while that is not where the conversation is. */
export function presentFilesLine(session: OpenSession, t: Translate): FilesLineView | undefined {
  const { standing, state } = session;
  const apart = Object.keys(standing.apart);
  const away = filesAway(session);
  if (!away && apart.length === 0) return undefined;
  const texts: string[] = [];
  const undone = away ? undoneFiles(session) : [];
  if (undone.length > 0) {
    texts.push(t('Changes undone in {0}', listed(session, undone, t)));
  } else if (away) {
    const place = filesPlaceName(t, state.nodes, standing.filesHead);
    // Whether they still are where they were put is known only after a look at them.
    texts.push(
      session.compared ? t('Files are at {0}', place) : t('Files last known at {0}', place),
    );
  }
  if (apart.length > 0) texts.push(t('Left where they were: {0}', listed(session, apart, t)));
  return { text: texts.join(' · '), canBring: session.running === undefined };
}

function listed({ info }: OpenSession, files: readonly FileKey[], t: Translate): string {
  const names = files.slice(0, namedApart).map((file) => keyLabel(info.folders, file));
  const more = files.length - names.length;
  return more > 0 ? t('{0} and {1} more', names.join(', '), more) : names.join(', ');
}

/** Returns the files of which changes of the reply were undone, where that is all in which the files are elsewhere. */
function undoneFiles({ state, standing }: OpenSession): readonly FileKey[] {
  const parts = partsUndone(state.nodes, standing.head ?? '', standing.filesHead) ?? [];
  const files = parts.flatMap(({ changes }) => changes.flatMap((link) => [...linkFiles(link)]));
  return [...new Set(files)].sort();
}

/** Says whether the files are at another state than the conversation. */
export function filesAway({ state, standing }: OpenSession): boolean {
  const { head, filesHead } = standing;
  return head !== filesHead && stepsBetween(state.nodes, filesHead, head).length > 0;
}
