import * as vscode from 'vscode';
import type { OpenSession } from '../engine/openSession';
import type { Focus } from '../protocol/messages';
import { viewStrings } from '../protocol/strings';
import { BlobFiles } from './blobFiles';
import { ChatView } from './chat/chatView';
import { LineCounts } from './chat/lineCounts';
import type { ChatServices } from './chat/services';
import { chatModels } from './chatModels';
import type { CommandHost } from './commands/host';
import { keepFromList } from './commands/keepFromList';
import { registerCommands } from './commands/register';
import { blobScheme, contextKeys } from './contributions';
import { Diffs } from './diffs';
import { openEngine, type Engine } from './engine';
import { GraphPanel } from './graph/graphPanel';
import type { GraphServices } from './graph/graphController';
import { followWindows } from './followWindows';
import { ChannelLog } from './log';
import { Models } from './models';
import { chatOpener } from './opener';
import { runningKey } from './runningKey';
import { defaultScope } from './settings';
import { statusItem } from './statusItem';
import { Submitter } from './submit';
import { requireTurn } from './turns';

/** What stands on the engine: built with it, at the first need. */
interface Built {
  readonly engine: Engine;
  readonly submitter: Submitter;
  readonly chat: ChatServices;
  /** The graph's own count of lines; the chat counts for what it shows. */
  readonly counts: LineCounts;
}

/** The whole of Retrace in one window. Building it costs nothing; the store is opened when something asks for it. */
export class Composition implements vscode.Disposable {
  readonly #log = new ChannelLog();
  readonly #models: Models;
  readonly #blobFiles = new BlobFiles(async () => (await this.engine()).blobs);
  readonly #diffs = new Diffs(async () => (await this.engine()).retrace, this.#blobFiles);
  readonly #view: ChatView;
  readonly #graph: GraphPanel;
  readonly #host: CommandHost;
  readonly #disposables: vscode.Disposable[] = [];
  #built: Promise<Built> | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.#models = new Models(context.secrets, context.workspaceState, this.#log);
    this.#view = new ChatView(
      context.extensionUri,
      () => this.chat(),
      (message, error) => this.#log.warn(message, error),
    );
    this.#graph = new GraphPanel(
      context.extensionUri,
      () => this.graph(),
      (message, error) => this.#log.warn(message, error),
    );
    this.#host = {
      engine: () => this.engine(),
      models: this.#models,
      submitter: async () => (await this.built()).submitter,
      reveal: (session, focus) => this.reveal(session, focus),
      showGraph: () => this.#graph.show(),
    };
    this.#disposables.push(
      new vscode.Disposable(() => this.#log.dispose()),
      this.#view.register(),
      this.#graph.register(),
      ...registerCommands(this.#host, this.#log),
      vscode.workspace.registerFileSystemProvider(blobScheme, this.#blobFiles, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          event.affectsConfiguration('retrace.models') ||
          event.affectsConfiguration('retrace.model')
        )
          this.#models.changed.fire(undefined);
      }),
    );
  }

  async engine(): Promise<Engine> {
    return (await this.built()).engine;
  }

  /** What the chat view stands on. */
  async chat(): Promise<ChatServices> {
    return (await this.built()).chat;
  }

  private async graph(): Promise<GraphServices> {
    const { chat, counts } = await this.built();
    return {
      ...chat,
      counts,
      compareWithNow: (session, messageId) => this.#diffs.compareWithNow(session, messageId),
      reveal: (session, focus) => this.reveal(session, focus),
    };
  }

  /** Stops what runs and puts everything on disk; does nothing where nothing was ever opened. */
  async close(): Promise<void> {
    if (this.#built === undefined) return;
    const { engine } = await this.#built;
    await engine.close();
  }

  dispose(): void {
    for (const disposable of this.#disposables.reverse()) disposable.dispose();
  }

  /** A store that could not be opened is tried again at the next need. */
  private built(): Promise<Built> {
    this.#built ??= this.build().catch((error: unknown) => {
      this.#built = undefined;
      throw error;
    });
    return this.#built;
  }

  private async build(): Promise<Built> {
    const log = this.#log;
    const models = this.#models;
    const engine = await openEngine({ context: this.context, models, log });
    const { retrace, sheets, sessions, approvals, blobs, current } = engine;
    sessions
      .purgeDeleted()
      .catch((error: unknown) => log.warn('Deleted sessions could not be cleaned up', error));
    const submitter = new Submitter({
      engine,
      models,
      log,
      reveal: (session, focus) => this.reveal(session, focus),
    });
    this.#disposables.push(
      runningKey(sessions, current),
      statusItem({ sessions, current, approvals }),
      followWindows(sessions, current, log),
    );
    const chat: ChatServices = {
      retrace,
      sheets,
      sessions,
      approvals,
      blobs,
      current,
      submit: submitter.submit,
      keepSession: keepFromList(this.#host),
      requireTurn: (session, model) => requireTurn(models, session, model),
      models: chatModels(models),
      opener: chatOpener(this.#diffs),
      log,
      t: (message, ...args) => vscode.l10n.t(message, ...args),
      defaultScope,
      texts: { strings: pageTexts(), language: vscode.env.language },
      focusChanged: (focused) =>
        void vscode.commands.executeCommand('setContext', contextKeys.viewFocused, focused),
    };
    return { engine, submitter, chat, counts: new LineCounts(blobs) };
  }

  /** Brings the chat up with a session in it. The move or turn behind it goes on whether or not that works. */
  private async reveal(session: OpenSession, focus: Focus): Promise<void> {
    try {
      const { current } = await this.engine();
      await current.set(session.id);
      await this.#view.reveal(focus);
    } catch (error) {
      this.#log.warn('The chat view could not be shown', error);
    }
  }
}

function pageTexts(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(viewStrings).map(([key, text]) => [key, vscode.l10n.t(text)]),
  );
}
