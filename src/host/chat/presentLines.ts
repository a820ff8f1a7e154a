import { keyLabel } from '../../core/fileKey';
import { undoStacks, type FileOutcome, type Move } from '../../core/journal';
import { nodeText } from '../../core/node';
import type { OpenSession, SessionLine } from '../../engine/openSession';
import type { RewindPoint } from '../../engine/retrace';
import type { LineView } from '../../protocol/viewModel';
import type { Translate } from '../../engine/ports';
import { failureReason, excerpt, fileUri } from './words';

const pointLength = 120;

/** Returns the quiet lines after the last message; one about something that is gone is left out. */
export function presentLines(
  session: OpenSession,
  points: (session: OpenSession) => readonly RewindPoint[],
  t: Translate,
): LineView[] {
  return session.lines.flatMap((line) => presentLine(session, line, points, t));
}

function presentLine(
  session: OpenSession,
  line: SessionLine,
  points: (session: OpenSession) => readonly RewindPoint[],
  t: Translate,
): LineView[] {
  switch (line.kind) {
    case 'move': {
      const step = session.state.steps.findLast(
        (one) => one.type === 'move' && one.move.id === line.moveId,
      );
      return step?.type === 'move' ? [resultLine(session, line.id, step.move, t)] : [];
    }
    case 'points':
      return [{ kind: 'points', id: line.id, points: numbered(session, line.points, points) }];
    case 'error':
    case 'text':
      return [line];
  }
}

function numbered(
  session: OpenSession,
  shown: Extract<SessionLine, { kind: 'points' }>['points'],
  points: (session: OpenSession) => readonly RewindPoint[],
): Extract<LineView, { kind: 'points' }>['points'] {
  const known = new Map(points(session).map((point) => [point.messageId, point]));
  return shown.flatMap(({ n, messageId }) => {
    const node = session.state.nodes.get(messageId);
    if (node === undefined) return [];
    const filesChanged = known.get(messageId)?.filesChanged ?? 0;
    return [{ n, messageId, text: excerpt(nodeText(node), pointLength), filesChanged }];
  });
}

function resultLine(session: OpenSession, id: string, move: Move, t: Translate): LineView {
  const { undo, redo } = undoStacks(session.state.steps);
  const action =
    undo.at(-1)?.id === move.id ? 'undo' : redo.at(-1)?.id === move.id ? 'redo' : undefined;
  const { folders } = session.info;
  const failures = (move.results ?? []).flatMap((result) =>
    result.outcome === 'failed' || result.outcome === 'uncovered'
      ? [
          {
            label: keyLabel(folders, result.file),
            uri: fileUri(folders, result.file),
            reason: failureReason(t, result),
          },
        ]
      : [],
  );
  return { kind: 'result', id, text: moveText(move, t), ...(action && { action }), failures };
}

/** Says what a move did: `Rewound 2 turns · 2 files restored, 1 merged, 1 kept`. */
export function moveText(move: Move, t: Translate): string {
  return `${verbText(move, t)} · ${filesText(move, t)}`;
}

function verbText(move: Move, t: Translate): string {
  const staysInChat = move.before.head === move.after.head;
  const { turnsReverted: turns } = move;
  switch (move.verb) {
    case 'rewind':
      if (staysInChat) return t('Files rewound');
      if (turns === 0) return t('Went to the message');
      return turns === 1 ? t('Rewound 1 turn') : t('Rewound {0} turns', turns);
    case 'edit':
      return t('Went back to send the message again');
    case 'regenerate':
      return t('Went back to answer again');
    case 'switch':
      return staysInChat ? t('Files switched') : t('Switched to another version');
    case 'checkout':
      return staysInChat ? t('Files brought here') : t('Checked out another message');
    case 'files':
      return move.target === null ? t('Files brought here') : t('Changes undone');
    case 'undo':
      return t('Move undone');
    case 'redo':
      return t('Move done again');
  }
}

const told = [
  'restored',
  'merged',
  'deleted',
  'moved',
  'kept',
  'uncovered',
  'failed',
] as const satisfies readonly FileOutcome[];

type Told = (typeof told)[number];

function filesText(move: Move, t: Translate): string {
  const texts: string[] = [];
  for (const outcome of told) {
    const count = (move.results ?? []).filter((result) => result.outcome === outcome).length;
    if (count > 0) texts.push(outcomeText(outcome, count, texts.length === 0, t));
  }
  return texts.length === 0 ? t('no file changes') : texts.join(', ');
}

/** The first count says what is counted. */
function outcomeText(outcome: Told, count: number, first: boolean, t: Translate): string {
  switch (outcome) {
    case 'restored':
      if (!first) return t('{0} restored', count);
      return count === 1 ? t('1 file restored') : t('{0} files restored', count);
    case 'merged':
      if (!first) return t('{0} merged', count);
      return count === 1 ? t('1 file merged') : t('{0} files merged', count);
    case 'deleted':
      if (!first) return t('{0} deleted', count);
      return count === 1 ? t('1 file deleted') : t('{0} files deleted', count);
    case 'moved':
      if (!first) return t('{0} moved', count);
      return count === 1 ? t('1 file moved') : t('{0} files moved', count);
    case 'kept':
      if (!first) return t('{0} kept', count);
      return count === 1 ? t('1 file kept') : t('{0} files kept', count);
    case 'uncovered':
      if (!first) return t('{0} not covered', count);
      return count === 1 ? t('1 file not covered') : t('{0} files not covered', count);
    case 'failed':
      if (!first) return t('{0} failed', count);
      return count === 1 ? t('1 file failed') : t('{0} files failed', count);
  }
}
