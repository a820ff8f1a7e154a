import * as vscode from 'vscode';
import type { OpenSession } from '../engine/openSession';
import type { Focus } from '../protocol/messages';
import { BlobFiles } from './blobFiles';
import { ChatView } from './chat/chatView';
import type { ChatServices } from './chat/services';
import type { CommandHost } from './commands/host';
import { registerCommands } from './commands/register';
import { blobScheme } from './contributions';
import type { Engine } from './engine';
import { GraphPanel } from './graph/graphPanel';
import type { GraphServices } from './graph/graphController';
import { ChannelLog } from './log';
import { Models } from './models';
import { SessionModes } from './sessionModes';
import type { Services } from './services';

/**
 * The whole of Retrace in one window. Building it costs nothing: what it does is loaded, and the store opened, when
 * something asks for it.
 */
export class Composition implements vscode.Disposable {
  readonly #log = new ChannelLog();
  readonly #models: Models;
  readonly #modes: SessionModes;
  readonly #blobFiles = new BlobFiles(async () => (await this.engine()).blobs);
  readonly #view: ChatView;
  readonly #graph: GraphPanel;
  readonly #host: CommandHost;
  readonly #disposables: vscode.Disposable[] = [];
  #services: Promise<Services> | undefined;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.#models = new Models(context.secrets, context.workspaceState, this.#log);
    this.#modes = new SessionModes(context.workspaceState);
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
      modes: this.#modes,
      submitter: async () => (await this.services()).submitter,
      diffs: async () => (await this.services()).diffs,
      review: async () => (await this.services()).review,
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
        if (event.affectsConfiguration('retrace.mode')) this.#modes.changed.fire(undefined);
      }),
    );
  }

  async engine(): Promise<Engine> {
    return (await this.services()).engine;
  }

  /** What the chat view stands on. */
  async chat(): Promise<ChatServices> {
    return (await this.services()).chat;
  }

  private async graph(): Promise<GraphServices> {
    return (await this.services()).graph;
  }

  /** Stops what runs and puts everything on disk; does nothing where nothing was ever opened. */
  async close(): Promise<void> {
    if (this.#services === undefined) return;
    const { engine } = await this.#services;
    await engine.close();
  }

  dispose(): void {
    for (const disposable of this.#disposables.reverse()) disposable.dispose();
  }

  /** A store that could not be opened is tried again at the next need. */
  private services(): Promise<Services> {
    this.#services ??= this.open().catch((error: unknown) => {
      this.#services = undefined;
      throw error;
    });
    return this.#services;
  }

  private async open(): Promise<Services> {
    const { openServices } = await import('./services');
    return openServices({
      context: this.context,
      models: this.#models,
      modes: this.#modes,
      log: this.#log,
      blobFiles: this.#blobFiles,
      host: this.#host,
      reveal: (session, focus) => this.reveal(session, focus),
      own: (...disposables) => this.#disposables.push(...disposables),
    });
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
