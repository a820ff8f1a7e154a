import * as vscode from 'vscode';
import { nodeText } from '../../core/node';
import { SessionState } from '../../core/session';
import { graphFaults } from '../../core/soundness';
import { blobsOf, planRepair, planRestore } from '../../engine/repairSession';
import type { BackupPreview } from '../../engine/sessions';
import { pickBackup } from '../pickBackup';
import { hostRuntime } from '../runtime';
import { storageFigure } from '../sizes';
import { isInteractive, parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.restoreBackup`: a session as it was before an act, opened as one of its own; without a name it asks which. */
export async function restoreBackup(
  host: CommandHost,
  raw: unknown,
): Promise<{ readonly sessionId: string; readonly title: string; readonly missing: number }> {
  const args = parseArgument(schemas.restoreBackup, raw);
  const { engine, session } = await target(host, args.sessionId);
  const { sessions, current } = engine;
  const name =
    args.name ?? chosen(await pickBackup((await sessions.backups(session)).map(withText)));
  const backup = await sessions.readBackup(session, name);
  const plan = planRestore(backup.info, backup.records, {
    id: hostRuntime.newId(),
    title: vscode.l10n.t('{0} (backup)', backup.info.title),
  });
  const { draft } = backup;
  const made = await sessions.createFrom({ ...plan, ...(draft && { draft: draft.draft }) });
  await current.set(made.id);
  if (isInteractive(raw)) await host.reveal(made, 'composer');
  return { sessionId: made.id, title: made.info.title, missing: backup.missing };
}

function withText(backup: BackupPreview) {
  const last = backup.records.findLast(
    (record) => record.type === 'node' && record.node.role === 'user',
  );
  return { ...backup, text: last?.type === 'node' ? nodeText(last.node) : '' };
}

/** What `retrace.checkSessions` found in one session. */
export interface CheckedSession {
  readonly sessionId: string;
  readonly title: string;
  /** Stored pieces that could not be believed. */
  readonly damaged: number;
  /** Messages whose way to the start is broken. */
  readonly unreachable: number;
  /** Files whose stored bytes are missing or damaged. */
  readonly missingCopies: number;
  /** A repaired copy, where one was made. */
  readonly copyId?: string;
}

/** `retrace.checkSessions`: reads records, graph and stored bytes; with `repair`, damaged ones get a repaired copy. */
export async function checkSessions(
  host: CommandHost,
  raw: unknown,
): Promise<readonly CheckedSession[]> {
  const args = parseArgument(schemas.checkSessions, raw);
  const { sessions, blobs } = await host.engine();
  const cards = await sessions.cards(true);
  const asked = cards.filter(({ id }) => args.sessionId === undefined || id === args.sessionId);
  const results: CheckedSession[] = [];
  const check = async (id: string): Promise<void> => {
    const stored = await sessions.readStored(id);
    const state = new SessionState(stored.info);
    for (const record of stored.records) state.apply(record);
    let missingCopies = 0;
    for (const hash of blobsOf(state))
      if ((await blobs.get(hash)) === undefined) missingCopies += 1;
    const unreachable = graphFaults(state.nodes).unreachable.length;
    const { length: damaged } = stored.damage;
    const broken = damaged + unreachable > 0;
    const copy =
      broken && args.repair === true
        ? await sessions.createFrom(
            planRepair(state, {
              id: hostRuntime.newId(),
              title: vscode.l10n.t('{0} (repaired)', stored.info.title),
              notice: vscode.l10n.t('A message that stood here could not be read.'),
            }),
          )
        : undefined;
    results.push({
      ...{ sessionId: id, title: stored.info.title, damaged, unreachable, missingCopies },
      ...(copy && { copyId: copy.id }),
    });
  };
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Checking sessions') },
    async () => {
      for (const { id } of asked) await check(id);
    },
  );
  if (isInteractive(raw)) void tell(host, results);
  return results;
}

async function tell(host: CommandHost, results: readonly CheckedSession[]): Promise<void> {
  const broken = results.filter(({ damaged, unreachable }) => damaged + unreachable > 0);
  const copies = results.reduce((sum, { missingCopies }) => sum + missingCopies, 0);
  if (broken.length === 0) {
    const { storage } = await host.engine();
    const figure = storageFigure(await storage.used(), storage.budget);
    const cleanUp = vscode.l10n.t('Clean Up Storage…');
    const found =
      copies === 0
        ? vscode.l10n.t('{0} sessions were checked, and all are whole.', results.length)
        : vscode.l10n.t(
            '{0} sessions were checked. {1} stored copies of files are missing; those files cannot be restored.',
            results.length,
            copies,
          );
    const answer = await vscode.window.showInformationMessage(`${found} ${figure}.`, cleanUp);
    if (answer === cleanUp) await vscode.commands.executeCommand('retrace.cleanUpStorage');
    return;
  }
  const repair = vscode.l10n.t('Make Repaired Copies');
  const names = broken.map(({ title }) => title).join(', ');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Parts of these sessions are damaged: {0}. The originals stay as they are.',
      names,
    ),
    repair,
  );
  if (answer !== repair) return;
  for (const { sessionId } of broken) await checkSessions(host, { sessionId, repair: true });
}
