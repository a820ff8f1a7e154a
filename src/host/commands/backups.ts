import * as vscode from 'vscode';
import { keyUri } from '../../core/fileKey';
import { nodeText } from '../../core/node';
import { SessionState } from '../../core/session';
import { graphFaults } from '../../core/soundness';
import { checkCopies } from '../../engine/checkCopies';
import { planRepair, planRestore } from '../../engine/repairSession';
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
  /** Stored copies of files that are missing or damaged. */
  readonly missingCopies: number;
  /** Copies that were, and have been made again of files that still hold the same. */
  readonly restoredCopies: number;
  /** URIs of the files that cannot be put back to something they held. */
  readonly lostFiles: readonly string[];
  /** A repaired copy, where one was made. */
  readonly copyId?: string;
}

/**
 * `retrace.checkSessions`: reads records, graph and stored bytes. With `repair`, damaged sessions get a repaired copy, and
 * missing copies of files are made again where the workspace still holds the same.
 */
export async function checkSessions(
  host: CommandHost,
  raw: unknown,
): Promise<readonly CheckedSession[]> {
  const args = parseArgument(schemas.checkSessions, raw);
  const { sessions, blobs, filesOf } = await host.engine();
  const cards = await sessions.cards(true);
  const asked = cards.filter(({ id }) => args.sessionId === undefined || id === args.sessionId);
  const results: CheckedSession[] = [];
  const check = async (id: string): Promise<void> => {
    const stored = await sessions.readStored(id);
    const state = new SessionState(stored.info);
    for (const record of stored.records) state.apply(record);
    let copies = await checkCopies(state, blobs);
    if (copies.missing > 0 && args.repair === true)
      copies = await checkCopies(state, blobs, filesOf(await sessions.open(id)));
    const unreachable = graphFaults(state.nodes).unreachable.length;
    const { length: damaged } = stored.damage;
    const repairs = damaged + unreachable > 0 && args.repair === true;
    if (repairs) await sessions.backUp({ id }, 'repair');
    const copy = repairs
      ? await sessions.createFrom(
          planRepair(state, {
            id: hostRuntime.newId(),
            title: vscode.l10n.t('{0} (repaired)', stored.info.title),
            notice: vscode.l10n.t('A message that stood here could not be read.'),
          }),
        )
      : undefined;
    results.push({
      ...{ sessionId: id, title: stored.info.title, damaged, unreachable },
      ...{ missingCopies: copies.missing, restoredCopies: copies.restored },
      lostFiles: copies.files.map((file) => keyUri(stored.info.folders, file) ?? file),
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
  const broken = results.filter(
    ({ damaged, unreachable, missingCopies }) => damaged + unreachable + missingCopies > 0,
  );
  if (broken.length === 0) {
    const { storage } = await host.engine();
    const figure = storageFigure(await storage.used(), storage.budget);
    const cleanUp = vscode.l10n.t('Clean Up Storage…');
    const found = vscode.l10n.t('{0} sessions were checked, and all are whole.', results.length);
    const answer = await vscode.window.showInformationMessage(`${found} ${figure}.`, cleanUp);
    if (answer === cleanUp) await vscode.commands.executeCommand('retrace.cleanUpStorage');
    return;
  }
  const repair = vscode.l10n.t('Repair');
  const answer = await vscode.window.showWarningMessage(whatIsWrong(broken).join(' '), repair);
  if (answer !== repair) return;
  const repaired: CheckedSession[] = [];
  for (const { sessionId } of broken)
    repaired.push(...(await checkSessions(host, { sessionId, repair: true })));
  void vscode.window.showInformationMessage(whatBecame(repaired).join(' '));
}

function whatIsWrong(broken: readonly CheckedSession[]): string[] {
  const damaged = broken.filter((one) => one.damaged + one.unreachable > 0);
  const copies = sum(broken, ({ missingCopies }) => missingCopies);
  const said: string[] = [];
  if (damaged.length > 0)
    said.push(
      vscode.l10n.t(
        'Parts of these sessions are damaged: {0}. The originals stay as they are.',
        titles(damaged),
      ),
    );
  if (copies > 0)
    said.push(
      vscode.l10n.t(
        '{0} stored copies of files are missing or damaged: {1}.',
        copies,
        names(broken),
      ),
    );
  return said;
}

function whatBecame(repaired: readonly CheckedSession[]): string[] {
  const made = repaired.filter(({ copyId }) => copyId !== undefined);
  const restored = sum(repaired, ({ restoredCopies }) => restoredCopies);
  const lost = sum(repaired, ({ missingCopies }) => missingCopies);
  const said: string[] = [];
  if (made.length > 0)
    said.push(vscode.l10n.t('Repaired copies were made of these sessions: {0}.', titles(made)));
  if (restored > 0)
    said.push(
      vscode.l10n.t('{0} stored copies were made again from files of the workspace.', restored),
    );
  if (lost > 0)
    said.push(
      vscode.l10n.t(
        '{0} stored copies are lost. These files cannot be put back to what they then held: {1}.',
        lost,
        names(repaired),
      ),
    );
  return said;
}

const sum = (sessions: readonly CheckedSession[], of: (one: CheckedSession) => number): number =>
  sessions.reduce((all, one) => all + of(one), 0);

const titles = (sessions: readonly CheckedSession[]): string =>
  sessions.map(({ title }) => title).join(', ');

/** So many files are named in a message; the result of the command names all. */
const named = 8;

function names(sessions: readonly CheckedSession[]): string {
  const uris = new Set(sessions.flatMap(({ lostFiles }) => lostFiles));
  const shown = [...uris]
    .slice(0, named)
    .map((uri) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)));
  return [...shown, ...(uris.size > named ? ['…'] : [])].join(', ');
}
