import * as vscode from 'vscode';
import type { PendingApproval } from '../../engine/approvals';
import type { HostFrame } from '../../protocol/messages';
import { ChatController } from './chatController';
import { chatHtml, createNonce } from './chatHtml';
import { LineCounts } from './lineCounts';
import { Presenter } from './presentSession';
import type { ChatServices } from './services';
import type { Focus } from './viewFeed';

export const chatViewId = 'retrace.chat';

const focusKey = 'retrace.viewFocused';
/** How long is waited for a page that is being loaded, in milliseconds. */
const patience = 10_000;

/** What the view is given; whether focus is in it is the view's own to know. */
export type ChatViewServices = Omit<ChatServices, 'focusChanged'>;

/** The chat in the sidebar: its page, loaded anew whenever it is shown, and the one connection to it. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #services: ChatServices;
  readonly #presenter: Presenter;
  readonly #ends: (() => void)[] = [];
  #view: vscode.WebviewView | undefined;
  #controller: ChatController | undefined;
  #focused = false;

  constructor(
    private readonly extensionUri: vscode.Uri,
    services: ChatViewServices,
  ) {
    this.#services = { ...services, focusChanged: (focused) => this.#setFocused(focused) };
    const counts = new LineCounts(services.blobs);
    this.#presenter = new Presenter({ ...services, counts }, Date.now());
    this.#ends.push(services.approvals.changed.on(() => this.#showBadge()));
  }

  /** Registers the view; it is disposed with what is returned. */
  register(): vscode.Disposable {
    const registration = vscode.window.registerWebviewViewProvider(chatViewId, this);
    return vscode.Disposable.from(registration, this);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#leave();
    const { webview } = view;
    const files = vscode.Uri.joinPath(this.extensionUri, 'dist', 'view');
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    const controller = new ChatController(this.#services, this.#presenter, (frame) =>
      this.#post(view, frame),
    );
    this.#view = view;
    this.#controller = controller;
    const ends = vscode.Disposable.from(
      webview.onDidReceiveMessage((data: unknown) => void controller.receive(data)),
      // A hidden page is destroyed, and loaded again from the same HTML without another resolve.
      view.onDidChangeVisibility(() => {
        if (!view.visible) this.#hidden(controller);
      }),
    );
    view.onDidDispose(() => {
      ends.dispose();
      controller.dispose();
      if (this.#controller === controller) this.#leave();
    });
    webview.html = chatHtml({
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(files, 'main.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(files, 'main.css')).toString(),
      nonce: createNonce(),
      language: vscode.env.language,
      title: 'Retrace',
    });
    this.#showBadge();
  }

  /** Says whether the page is there and shows what is current. */
  get ready(): boolean {
    return this.#view?.visible === true && this.#controller?.ready === true;
  }

  /** Brings the view up, and resolves to whether its page came: a window may be busy, or have no room for it. */
  async reveal(focus?: Focus): Promise<boolean> {
    if (!this.ready || focus !== undefined)
      await vscode.commands.executeCommand(`${chatViewId}.focus`);
    const ready = await this.#whenReady();
    const session = await this.#services.current.get();
    if (focus !== undefined) this.#controller?.focus(session, focus);
    return ready;
  }

  dispose(): void {
    this.#leave();
    for (const end of this.#ends.splice(0)) end();
  }

  async #whenReady(): Promise<boolean> {
    const until = Date.now() + patience;
    while (!this.ready && Date.now() < until) await this.#readyOrLater(until - Date.now());
    return this.ready;
  }

  /** The view may be resolved only after this began, so the wait is in short turns. */
  #readyOrLater(most: number): Promise<void> {
    return new Promise((resolve) => {
      const end = this.#controller?.becameReady.on(done);
      const timer = setTimeout(done, Math.min(most, 100));
      function done(): void {
        clearTimeout(timer);
        end?.();
        resolve();
      }
    });
  }

  #post(view: vscode.WebviewView, frame: HostFrame): void {
    // Not delivered means that the page is gone; the next one asks for everything.
    view.webview.postMessage(frame).then(undefined, (error: unknown) => {
      this.#services.log.warn('The view could not be told something', error);
    });
  }

  #hidden(controller: ChatController): void {
    controller.pause();
    this.#setFocused(false);
  }

  #leave(): void {
    this.#controller?.dispose();
    this.#controller = undefined;
    this.#view = undefined;
    this.#setFocused(false);
  }

  #setFocused(focused: boolean): void {
    if (focused === this.#focused) return;
    this.#focused = focused;
    void vscode.commands.executeCommand('setContext', focusKey, focused);
  }

  #showBadge(): void {
    if (this.#view === undefined) return;
    const waiting = this.#services.approvals.pending();
    this.#view.badge =
      waiting.length === 0
        ? undefined
        : { value: waiting.length, tooltip: this.#badgeText(waiting) };
  }

  #badgeText(waiting: readonly PendingApproval[]): string {
    const { t } = this.#services;
    return waiting.length === 1
      ? t('1 approval is waiting')
      : t('{0} approvals are waiting', waiting.length);
  }
}
