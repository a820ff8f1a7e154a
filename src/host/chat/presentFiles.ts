import type { FileState } from '../../core/changes';
import { stepsBetween } from '../../core/route';
import { keyLabel, type SessionFolder } from '../../core/fileKey';
import { changesOf, type AssistantNode } from '../../core/node';
import type { OpenSession } from '../../engine/openSession';
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
  if (away) {
    const place = filesPlaceName(t, state.nodes, standing.filesHead);
    // Whether they still are where they were put is known only after a look at them.
    texts.push(
      session.compared ? t('Files are at {0}', place) : t('Files last known at {0}', place),
    );
  }
  if (apart.length > 0) {
    const names = apart.slice(0, namedApart).map((file) => keyLabel(state.info.folders, file));
    const more = apart.length - names.length;
    const listed = names.join(', ');
    texts.push(
      more > 0
        ? t('Left where they were: {0} and {1} more', listed, more)
        : t('Left where they were: {0}', listed),
    );
  }
  return { text: texts.join(' · '), canBring: session.running === undefined };
}

/** Says whether the files are at another state than the conversation. */
export function filesAway({ state, standing }: OpenSession): boolean {
  const { head, filesHead } = standing;
  return head !== filesHead && stepsBetween(state.nodes, filesHead, head).length > 0;
}
