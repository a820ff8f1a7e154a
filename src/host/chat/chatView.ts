import * as vscode from 'vscode';
import { Emitter } from '../../engine/emitter';
import type { Focus, HostFrame } from '../../protocol/messages';
import { viewIds } from '../contributions';
import type { ChatController } from './chatController';
import { chatHtml, createNonce } from './chatHtml';
import type { ChatServices } from './services';

/** How long is waited for a page that is being loaded, in milliseconds. */
const patience = 10_000;

/** What all pages have in common, made when the first one asks for something. */
interface Common {
  readonly services: ChatServices;
  readonly connect: (post: (frame: HostFrame) => void) => ChatController;
}

/** The page that is there now, and the connection to it once it has asked for something. */
interface Shown {
  readonly view: vscode.WebviewView;
  controller?: ChatController;
}

/** The chat in the sidebar: its page, loaded anew whenever it is shown, and the one connection to it. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #becameReady = new Emitter<void>();
  readonly #ends: (() => void)[] = [];
  #common: Common | undefined;
  #shown: Shown | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    /** Asked for when a page is there: what it opens must not hold activation up. */
    private readonly services: () => Promise<ChatServices>,
    private readonly warn: (message: string, error: unknown) => void,
  ) {}

  /** Registers the view; what is returned ends it. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(viewIds.chat, this),
      this,
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#leave();
    const shown: Shown = { view };
    this.#shown = shown;
    const { webview } = view;
    const files = vscode.Uri.joinPath(this.extensionUri, 'dist', 'view');
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    const ends = vscode.Disposable.from(
      webview.onDidReceiveMessage((data: unknown) => void this.#receive(shown, data)),
      // A hidden page is destroyed, and loaded again from the same HTML without another resolve.
      view.onDidChangeVisibility(() => {
        if (!view.visible) this.#hidden(shown);
      }),
    );
    view.onDidDispose(() => {
      ends.dispose();
      if (this.#shown === shown) this.#leave();
    });
    webview.html = chatHtml({
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(files, 'main.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(files, 'main.css')).toString(),
      nonce: createNonce(),
      language: vscode.env.language,
      title: 'Retrace',
    });
  }

  /** Says whether the page is there and shows what is current. */
  get ready(): boolean {
    return this.#shown?.view.visible === true && this.#shown.controller?.ready === true;
  }

  /** Brings the view up, and resolves to whether its page came: there may be no room for it, or the window is closing. */
  async reveal(focus?: Focus): Promise<boolean> {
    await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
    const ready = await this.#whenReady();
    const session = await this.#common?.services.current.get();
    if (focus !== undefined && session !== undefined)
      this.#shown?.controller?.focus(session, focus);
    return ready;
  }

  dispose(): void {
    this.#leave();
    for (const end of this.#ends.splice(0)) end();
  }

  async #receive(shown: Shown, data: unknown): Promise<void> {
    try {
      const common = await this.#open();
      if (this.#shown !== shown) return;
      shown.controller ??= this.#connect(shown.view, common);
      await shown.controller.receive(data);
    } catch (error) {
      this.warn('The chat could not be opened', error);
      const { refusal } = await import('./connectChat');
      const frame = refusal(data, error);
      if (frame !== undefined) this.#post(shown.view, frame);
    }
  }

  async #open(): Promise<Common> {
    const [services, { chatConnector }] = await Promise.all([
      this.services(),
      import('./connectChat'),
    ]);
    if (this.#common !== undefined) return this.#common;
    this.#common = { services, connect: chatConnector(services) };
    this.#ends.push(services.approvals.changed.on(() => this.#showBadge()));
    return this.#common;
  }

  #connect(view: vscode.WebviewView, { connect }: Common): ChatController {
    const controller = connect((frame) => this.#post(view, frame));
    controller.becameReady.on(() => {
      this.#showBadge();
      this.#becameReady.fire();
    });
    return controller;
  }

  #whenReady(): Promise<boolean> {
    if (this.ready) return Promise.resolve(true);
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        end();
        resolve(this.ready);
      };
      const end = this.#becameReady.on(done);
      const timer = setTimeout(done, patience);
    });
  }

  #post({ webview }: vscode.WebviewView, frame: HostFrame): void {
    // Not delivered means that the page is gone; the next one asks for everything.
    webview.postMessage(frame).then(undefined, (error: unknown) => {
      this.warn('The view could not be told something', error);
    });
  }

  #hidden({ controller }: Shown): void {
    controller?.pause();
    this.#common?.services.focusChanged(false);
  }

  #leave(): void {
    this.#shown?.controller?.dispose();
    this.#shown = undefined;
    this.#common?.services.focusChanged(false);
  }

  #showBadge(): void {
    if (this.#shown === undefined || this.#common === undefined) return;
    const { approvals, t } = this.#common.services;
    const waiting = approvals.pending().length;
    const tooltip =
      waiting === 1 ? t('1 approval is waiting') : t('{0} approvals are waiting', waiting);
    this.#shown.view.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }
}
