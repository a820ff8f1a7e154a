import * as vscode from 'vscode';

/** A backup as it is offered. */
export interface OfferedBackup {
  readonly name: string;
  readonly at: number;
  readonly why: string;
  readonly messages: number;
  /** The last message the session then had. */
  readonly text: string;
}

/** Asks which backup to open; undefined when nothing was chosen. */
export async function pickBackup(backups: readonly OfferedBackup[]): Promise<string | undefined> {
  const style: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'medium' };
  const time = new Intl.DateTimeFormat(vscode.env.language, style);
  const items = backups.map(({ name, at, why, messages, text }) => ({
    label: time.format(at),
    description: vscode.l10n.t('before {0} · {1} messages', why, messages),
    detail: text.trim().split('\n', 1)[0] ?? '',
    name,
  }));
  const title = vscode.l10n.t('Open which backup as a session of its own?');
  const placeHolder = items.length === 0 ? vscode.l10n.t('This session has no backup yet.') : title;
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: true }))
    ?.name;
}
