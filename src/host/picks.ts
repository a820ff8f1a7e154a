import * as vscode from 'vscode';
import type { NodeId, SessionId } from '../core/ids';
import type { RewindPoint } from '../engine/retrace';
import type { ModelConfig } from '../engine/ports';
import type { SessionCard } from '../engine/store/documents';
import { modelDetail, modelLabel } from './chatModels';

/** Asks which message to go back to, newest first; undefined when nothing was chosen. */
export async function pickPoint(points: readonly RewindPoint[]): Promise<NodeId | undefined> {
  const items = points.map((point) => ({
    label: firstLine(point.text),
    description: [filesText(point.filesChanged), timeText(point.createdAt)]
      .filter((text) => text !== '')
      .join(' · '),
    messageId: point.messageId,
  }));
  const title = vscode.l10n.t('Rewind to before which message?');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.messageId;
}

/** Asks which session to open; undefined when nothing was chosen. */
export async function pickSession(
  cards: readonly SessionCard[],
  current: SessionId | undefined,
): Promise<SessionId | undefined> {
  const items = cards.map((card) => ({
    label: card.title,
    description: [
      timeText(card.updatedAt),
      ...(card.id === current ? [vscode.l10n.t('current')] : []),
    ].join(' · '),
    id: card.id,
  }));
  const title = vscode.l10n.t('Open which session?');
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.id;
}

/** Asks which deleted session to bring back; undefined when nothing was chosen. */
export async function pickDeletedSession(
  cards: readonly SessionCard[],
): Promise<SessionId | undefined> {
  const items = cards.map(({ id, title, updatedAt }) => ({
    label: title,
    description: timeText(updatedAt),
    id,
  }));
  const title = vscode.l10n.t('Bring which session back?');
  const placeHolder =
    items.length === 0 ? vscode.l10n.t('No session was deleted in the last 7 days.') : title;
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.id;
}

/** Asks for a model; undefined when nothing was chosen. */
export async function pickModel(
  models: readonly ModelConfig[],
  title: string,
): Promise<string | undefined> {
  const items = models.map((model) => ({
    label: modelLabel(model),
    detail: modelDetail(model),
    id: model.id,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title, matchOnDetail: true });
  return chosen?.id;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line === '' ? vscode.l10n.t('(attachments only)') : line;
}

function filesText(count: number): string {
  if (count === 0) return '';
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}

function timeText(at: number): string {
  const sameDay = new Date(at).toDateString() === new Date().toDateString();
  const style: Intl.DateTimeFormatOptions = sameDay
    ? { timeStyle: 'short' }
    : { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(vscode.env.language, style).format(at);
}
