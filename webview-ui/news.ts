import type { LineView, SessionView } from '../src/protocol/viewModel';
import { announce } from './announce';
import { messageText } from './state';
import { t } from './strings';

/** Has a screen reader told, once, what is new in a view; a text that streams is told when it is complete. */
export function sayChanges(before: SessionView | undefined, now: SessionView): void {
  if (before?.sessionId !== now.sessionId) return;
  const asked = now.approvals.find(
    (approval) => !before.approvals.some((old) => old.approvalId === approval.approvalId),
  );
  if (asked) announce(t('approval', asked.title));
  const line = now.lines.find((one) => !before.lines.some((old) => old.id === one.id));
  if (line && line.kind !== 'points') announce(textOf(line));
  if (before.running && !now.running) {
    const reply = now.messages.at(-1);
    if (reply?.role === 'assistant') announce(t('replyDone', messageText(reply)));
  }
}

function textOf(line: Exclude<LineView, { kind: 'points' }>): string {
  if (line.kind !== 'result' || line.failures.length === 0) return line.text;
  return `${line.text} ${line.failures.map((file) => `${file.label}: ${file.reason}`).join('. ')}`;
}
