import * as vscode from 'vscode';
import type { Approvals } from '../engine/approvals';
import type { Sessions } from '../engine/sessions';
import { filesAway } from './chat/presentFiles';
import { viewIds } from './contributions';
import type { CurrentSession } from './currentSession';

/** What the status bar item goes by. */
export interface StatusPorts {
  readonly sessions: Sessions;
  readonly current: CurrentSession;
  readonly approvals: Approvals;
}

interface Shown {
  readonly text: string;
  readonly tooltip: string;
}

/** Keeps an item in the status bar while something runs or waits, or while files and conversation are apart; else there is none. */
export function statusItem(ports: StatusPorts): vscode.Disposable {
  const { sessions, current, approvals } = ports;
  let item: vscode.StatusBarItem | undefined;
  const update = (): void => {
    const shown = whatToShow(ports);
    if (shown === undefined) {
      item?.dispose();
      item = undefined;
      return;
    }
    item ??= makeItem();
    item.text = shown.text;
    item.tooltip = shown.tooltip;
    item.accessibilityInformation = { label: shown.tooltip, role: 'button' };
    item.show();
  };
  const ends = [
    sessions.listChanged.on(update),
    current.onChange.on(update),
    approvals.changed.on(update),
  ];
  update();
  return new vscode.Disposable(() => {
    for (const end of ends) end();
    item?.dispose();
  });
}

function makeItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('retrace', vscode.StatusBarAlignment.Left);
  item.name = 'Retrace';
  item.command = `${viewIds.chat}.focus`;
  return item;
}

function whatToShow({ sessions, current, approvals }: StatusPorts): Shown | undefined {
  const waiting = approvals.pending().length;
  if (waiting > 0) {
    const tooltip =
      waiting === 1
        ? vscode.l10n.t('1 approval is waiting')
        : vscode.l10n.t('{0} approvals are waiting', waiting);
    return { text: '$(bell-dot) Retrace', tooltip };
  }
  const running = sessions.allOpened.filter((session) => session.running !== undefined).length;
  if (running > 0) {
    const tooltip =
      running === 1
        ? vscode.l10n.t('Retrace: a reply is being written')
        : vscode.l10n.t('Retrace: {0} replies are being written', running);
    return { text: '$(sync~spin) Retrace', tooltip };
  }
  const session = current.id === undefined ? undefined : sessions.opened(current.id);
  if (session === undefined) return undefined;
  if (!filesAway(session) && session.apartFiles.length === 0) return undefined;
  const tooltip = vscode.l10n.t('Retrace: the files are not where the conversation is');
  return { text: '$(git-compare) Retrace', tooltip };
}
