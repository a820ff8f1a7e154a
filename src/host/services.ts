import * as vscode from 'vscode';
import { MessageQueue } from '../engine/messageQueue';
import type { OpenSession } from '../engine/openSession';
import type { Log } from '../engine/ports';
import type { Focus } from '../protocol/messages';
import { viewStrings } from '../protocol/strings';
import type { BlobFiles } from './blobFiles';
import { LineCounts } from './chat/lineCounts';
import type { ChatServices } from './chat/services';
import { chatModels } from './chatModels';
import { chatContext } from './context/chatContext';
import type { CommandHost } from './commands/host';
import { labelMessage } from './commands/graph';
import { makeRoom } from './commands/cleanUpStorage';
import { keepFromList } from './commands/keepFromList';
import { contextKeys, panelIds } from './contributions';
import { Diffs } from './diffs';
import { openEngine, type Engine } from './engine';
import { followWindows } from './followWindows';
import type { GraphServices } from './graph/graphController';
import type { Models } from './models';
import { tellNews } from './notices';
import { chatOpener } from './opener';
import { KeptChanges } from './review/kept';
import { Review } from './review/review';
import { showReview } from './review/showReview';
import type { SessionModes } from './sessionModes';
import { sessionKeys } from './sessionKeys';
import { hostRuntime } from './runtime';
import { defaultScope, onSetting, settings } from './settings';
import { statusItem } from './statusItem';
import { Submitter } from './submit';
import { requireTurn } from './turns';
import { offerNewPlace } from './newPlace';

/** The engine and what stands on it: loaded and built at the first need. */
export interface Services {
  readonly engine: Engine;
  readonly submitter: Submitter;
  readonly diffs: Diffs;
  readonly review: Review;
  readonly chat: ChatServices;
  readonly graph: GraphServices;
}

/** What the services take from the window that opens them. */
export interface ServicesOptions {
  readonly context: vscode.ExtensionContext;
  readonly models: Models;
  readonly modes: SessionModes;
  readonly log: Log;
  readonly blobFiles: BlobFiles;
  readonly host: CommandHost;
  /** Brings the chat up with a session in it. */
  readonly reveal: (session: OpenSession, focus: Focus) => Promise<void>;
  /** Takes what ends with the window. */
  readonly own: (...disposables: vscode.Disposable[]) => void;
}

/** Opens the store and builds everything that stands on it. */
export async function openServices(options: ServicesOptions): Promise<Services> {
  const { context, models, modes, log, blobFiles, host, reveal, own } = options;
  const engine = await openEngine({ context, models, modes, log });
  const { retrace, sheets, sessions, approvals, blobs, current, storage } = engine;
  storage
    .purgeDeleted()
    .catch((error: unknown) => log.warn('Deleted sessions could not be cleaned up', error));
  offerNewPlace(sessions, current, context.globalState).catch((error: unknown) =>
    log.warn('Sessions of a moved folder could not be looked for', error),
  );
  const submitter = new Submitter({ engine, models, log, reveal });
  const queue = new MessageQueue({
    newId: () => hostRuntime.newId(),
    log,
    send: submitter.submit,
    stop: (session) => retrace.stop(session),
    failed: (session, error) => submitter.tell(session, error),
  });
  const diffs = new Diffs(retrace, blobFiles);
  const review = new Review({
    ...{ sessions, current, turns: engine.turnReview },
    kept: new KeptChanges(context.workspaceState),
  });
  own(
    new vscode.Disposable(() => engine.project.dispose()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('retrace.storage.budget')) storage.changed.fire(undefined);
    }),
    sessionKeys(sessions, current),
    statusItem({ sessions, current, approvals }),
    new vscode.Disposable(
      tellNews({
        ...{ sessions, approvals, log },
        which: settings.notices,
        focused: () => vscode.window.state.focused,
        show: async (text, button) =>
          (await vscode.window.showInformationMessage(text, button)) === button,
        reveal: (session) => reveal(session, 'composer'),
        t: (message, ...args) => vscode.l10n.t(message, ...args),
      }),
    ),
    followWindows(sessions, current, log),
    new vscode.Disposable(() => review.dispose()),
    showReview(review, log),
  );
  const chat: ChatServices = {
    retrace,
    sheets,
    sessions,
    search: engine.search,
    approvals,
    blobs,
    current,
    submit: submitter.submit,
    queue,
    sendKey: {
      get: settings.sendKey,
      onChange: (listener) => onSetting('retrace.chat.sendKey', listener),
    },
    continueSummarised: submitter.continueSummarised,
    keepSession: keepFromList(host),
    makeRoom: makeRoom(host),
    requireTurn: (session, model) => requireTurn(models, session, model),
    models: chatModels(models),
    modes: {
      currentOf: (session) => modes.current(session),
      select: (session, mode) => modes.select(session.id, mode),
      onChange: (listener) => modes.changed.on(listener),
    },
    opener: chatOpener(diffs, blobFiles),
    context: chatContext(engine.project),
    log,
    t: (message, ...args) => vscode.l10n.t(message, ...args),
    defaultScope,
    texts: { strings: pageTexts(), language: vscode.env.language },
    focusChanged: (focused) =>
      void vscode.commands.executeCommand('setContext', contextKeys.viewFocused, focused),
  };
  const graph: GraphServices = {
    ...chat,
    // The graph's own count of lines; the chat counts for what it shows.
    counts: new LineCounts(blobs),
    compare: (session, messageId, other) => diffs.compareMessages(session, messageId, other),
    label: (session, messageId) =>
      labelMessage(host, { webview: panelIds.graph, sessionId: session.id, messageId }),
    reveal,
  };
  return { engine, submitter, diffs, review, chat, graph };
}

function pageTexts(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(viewStrings).map(([key, text]) => [key, vscode.l10n.t(text)]),
  );
}
