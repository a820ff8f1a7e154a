import * as vscode from 'vscode';
import type { Cleaning, Loss, Needs, Survey } from '../../engine/cleanUp';
import { RetraceError } from '../../engine/errors';
import type { Storage } from '../../engine/storage';
import { fileUri } from '../chat/words';
import type { ChatServices } from '../chat/services';
import { settings } from '../settings';
import { sizeText, storageFigure } from '../sizes';
import { isInteractive, parseArgument, schemas } from './arguments';
import type { CommandHost } from './host';
import { chosen } from './moves';

/** What a session can no longer bring back. */
export interface LostFiles {
  readonly sessionId: string;
  readonly title: string;
  /** True where the whole session goes: it was deleted before. */
  readonly deleted: boolean;
  readonly branches: number;
  readonly files: readonly string[];
}

/** What a clean-up came to, or with `preview` would come to. */
export interface CleanUpResult {
  /** Before it. */
  readonly usedBytes: number;
  readonly budgetBytes: number;
  readonly freedBytes: number;
  readonly freedCopies: number;
  readonly lost: readonly LostFiles[];
  /** What only that session needs, largest first. */
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly title: string;
    readonly deleted: boolean;
    readonly bytes: number;
  }[];
  /** Sessions that could not be read whole: beside them nothing is removed. */
  readonly damaged: readonly string[];
}

/**
 * `retrace.cleanUpStorage`: says what recorded contents take and what can go, and removes what was chosen. What can no
 * longer be restored then is said before.
 */
export async function cleanUpStorage(host: CommandHost, raw: unknown): Promise<CleanUpResult> {
  const args = parseArgument(schemas.cleanUpStorage, raw);
  const { storage } = await host.engine();
  const survey = await vscode.window.withProgress(
    progress(vscode.l10n.t('Looking through the storage')),
    () => storage.survey(),
  );
  for (const id of args.sessionIds ?? [])
    if (!survey.sessions.some((session) => session.id === id))
      throw new RetraceError('not_found', 'There is no session with that id.');
  const asks = isInteractive(raw);
  const ids = args.sessionIds ?? (asks ? chosen(await pickWhat(storage, survey)) : []);
  const givenUp = new Set(ids);
  const cleaning = survey.clean(givenUp);
  const told = {
    usedBytes: survey.bytes,
    budgetBytes: storage.budget,
    sessions: bySize(survey).map(({ session, bytes }) => ({
      ...{ sessionId: session.id, title: session.title, bytes },
      deleted: session.deletedAt !== undefined,
    })),
    damaged: survey.damaged.map(({ id }) => id),
  };
  if (args.preview === true) {
    const { bytes, copies, losses } = cleaning;
    return { ...told, freedBytes: bytes, freedCopies: copies.length, lost: losses.map(lost) };
  }
  if ((args.confirm ?? true) && cleaning.losses.length > 0) chosen(await confirm(cleaning));
  const cleaned = await vscode.window.withProgress(
    { ...progress(vscode.l10n.t('Cleaning up the storage')), cancellable: true },
    (report, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      let shown = 0;
      return storage.clean(cleaning, givenUp, {
        signal: stop.signal,
        onProgress: (done, all) => {
          const percent = Math.floor((done / all) * 100);
          if (percent > shown) report.report({ increment: percent - shown });
          shown = percent;
        },
      });
    },
  );
  const { freedBytes, freedCopies, losses } = cleaned;
  if (asks) void tell(storage, freedBytes);
  return { ...told, freedBytes, freedCopies, lost: losses.map(lost) };
}

/** Returns what the buttons of a turn that waits for room do. */
export function makeRoom(host: CommandHost): ChatServices['makeRoom'] {
  return async (how) => {
    if (how === 'clean') {
      await cleanUpStorage(host, undefined);
      return;
    }
    const { storage } = await host.engine();
    let megabytes = Math.ceil(storage.budget / 1_000_000);
    const used = await storage.used();
    do megabytes *= 2;
    while (megabytes * 1_000_000 < used);
    await settings.setStorageBudget(megabytes);
  };
}

function progress(title: string): vscode.ProgressOptions {
  return { location: vscode.ProgressLocation.Notification, title };
}

function lost({ sessionId, title, deleted, branches, files, folders }: Loss): LostFiles {
  const uris = files.map((file) => fileUri(folders, file));
  return { sessionId, title, deleted, branches, files: uris };
}

function bySize(survey: Survey): { readonly session: Needs; readonly bytes: number }[] {
  return survey.sessions
    .map((session) => ({ session, bytes: survey.onlyFor(session) }))
    .sort((a, b) => b.bytes - a.bytes);
}

interface Row extends vscode.QuickPickItem {
  /** Missing for what nobody needs, which always goes. */
  readonly id?: string;
}

/** Asks which sessions' copies are given up; resolves to their ids, or undefined. */
async function pickWhat(storage: Storage, survey: Survey): Promise<readonly string[] | undefined> {
  const unneeded = survey.clean(new Set());
  const ofSessions = bySize(survey).flatMap(({ session, bytes }) => rowOf(survey, session, bytes));
  const ofNobody: Row = {
    label: vscode.l10n.t('Copies that no session needs'),
    description: sizeText(unneeded.bytes),
    detail: vscode.l10n.t('Nothing is lost with them.'),
    picked: true,
  };
  const rows =
    unneeded.bytes > 0 || ofSessions.length === 0 ? [ofNobody, ...ofSessions] : ofSessions;
  const picked = await vscode.window.showQuickPick(rows, {
    title: storageFigure(survey.bytes, storage.budget),
    placeHolder: placeHolder(survey),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.flatMap(({ id }) => id ?? []);
}

function placeHolder({ damaged }: Survey): string {
  const [first] = damaged;
  return first === undefined
    ? vscode.l10n.t('Choose what to remove')
    : vscode.l10n.t(
        '“{0}” is damaged and may need any copy: nothing can go beside it. Check Sessions makes a repaired copy; then delete it.',
        first.title,
      );
}

function rowOf(survey: Survey, session: Needs, bytes: number): Row[] {
  const deleted = session.deletedAt !== undefined;
  if (bytes === 0 && !deleted) return [];
  const [loss] = survey.clean(new Set([session.id])).losses;
  return [
    {
      id: session.id,
      label: session.title,
      description: sizeText(bytes),
      detail: deleted
        ? vscode.l10n.t('Deleted; it could no longer be brought back.')
        : lossText(loss?.files.length ?? 0, loss?.branches ?? 0),
    },
  ];
}

function lossText(files: number, branches: number): string {
  if (files === 1) return vscode.l10n.t('1 file could no longer be restored');
  return branches > 1
    ? vscode.l10n.t('{0} files on {1} branches could no longer be restored', files, branches)
    : vscode.l10n.t('{0} files could no longer be restored', files);
}

async function confirm({ bytes, losses }: Cleaning): Promise<vscode.QuickPickItem | undefined> {
  const rows = losses.map(({ title, deleted, files, branches }) => ({
    label: title,
    detail: deleted
      ? vscode.l10n.t('Deleted; it could no longer be brought back.')
      : lossText(files.length, branches),
  }));
  const remove = { label: `$(trash) ${vscode.l10n.t('Free {0}', sizeText(bytes))}` };
  const separator = {
    label: vscode.l10n.t('What goes with it'),
    kind: vscode.QuickPickItemKind.Separator,
  };
  const answer = await vscode.window.showQuickPick([remove, separator, ...rows], {
    title: vscode.l10n.t('Remove copies of files for good?'),
    placeHolder: vscode.l10n.t('The conversations stay. Your files are not touched.'),
    ignoreFocusOut: true,
  });
  return answer === remove ? remove : undefined;
}

async function tell(storage: Storage, freed: number): Promise<void> {
  const figure = storageFigure(await storage.used(), storage.budget);
  await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} were freed. {1}.', sizeText(freed), figure),
  );
}
