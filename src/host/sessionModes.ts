import * as v from 'valibot';
import * as vscode from 'vscode';
import type { SessionId } from '../core/ids';
import { modes, type Mode } from '../core/mode';
import { Emitter } from '../engine/emitter';
import type { OpenSession } from '../engine/openSession';
import { settings } from './settings';

const chosenKey = 'retrace.sessionModes';
const chosenSchema = v.fallback(v.array(v.tuple([v.string(), v.picklist(modes)])), []);
/** Choices remembered per workspace; the oldest go. */
const chosenLimit = 500;

/** How far the agent may go in each session. */
export class SessionModes {
  readonly changed = new Emitter<undefined>();

  constructor(private readonly memento: vscode.Memento) {}

  /** Returns a session's own choice, else that of the session it was forked from, else the setting. */
  current({ id, info }: Pick<OpenSession, 'id' | 'info'>): Mode {
    const choices = this.choices();
    const origin = info.forkedFrom?.sessionId;
    const inherited = origin === undefined ? undefined : choices.get(origin);
    return choices.get(id) ?? inherited ?? settings.mode();
  }

  async select(id: SessionId, mode: Mode): Promise<void> {
    const choices = this.choices();
    choices.delete(id);
    choices.set(id, mode);
    await this.memento.update(chosenKey, [...choices].slice(-chosenLimit));
    this.changed.fire(undefined);
  }

  private choices(): Map<SessionId, Mode> {
    return new Map(v.parse(chosenSchema, this.memento.get(chosenKey)));
  }
}

/** What people see for a mode. */
export function modeLabel(mode: Mode): string {
  switch (mode) {
    case 'ask':
      return vscode.l10n.t('Ask');
    case 'edit':
      return vscode.l10n.t('Edit');
    case 'agent':
      return vscode.l10n.t('Agent');
  }
}

/** What a mode lets the agent do, in a line. */
export function modeDetail(mode: Mode): string {
  switch (mode) {
    case 'ask':
      return vscode.l10n.t('Reads and answers; changes nothing and runs nothing');
    case 'edit':
      return vscode.l10n.t('Reads and changes files; runs no commands');
    case 'agent':
      return vscode.l10n.t('Reads and changes files, and runs commands as the approvals say');
  }
}
