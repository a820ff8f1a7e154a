import * as vscode from 'vscode';
import type { GraphFrame } from '../../protocol/graph';
import { chatHtml, createNonce } from '../chat/chatHtml';
import { panelIds } from '../contributions';
import type { GraphController, GraphServices } from './graphController';

/** The graph as an editor: at most one a window, beside what is edited, and there again after a reload. */
export class GraphPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    /** Asked for when a page is there: what it opens must not hold activation up. */
    private readonly services: () => Promise<GraphServices>,
    private readonly warn: (message: string, error: unknown) => void,
  ) {}

  /** Has VS Code bring the panel back after a reload; what is returned ends it. */
  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.window.registerWebviewPanelSerializer(panelIds.graph, this),
      this,
    );
  }

  /** Brings the graph up. */
  show(): void {
    if (this.#panel !== undefined) {
      this.#panel.reveal();
      return;
    }
    const title = vscode.l10n.t('Graph');
    const where = vscode.ViewColumn.Active;
    this.#adopt(vscode.window.createWebviewPanel(panelIds.graph, title, where, {}));
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#panel?.dispose();
    this.#adopt(panel);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    const { webview } = panel;
    const files = vscode.Uri.joinPath(this.extensionUri, 'dist', 'view');
    // A panel that comes back has the options of the version that made it.
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(this.extensionUri, 'media', `graph-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    webview.options = { enableScripts: true, localResourceRoots: [files] };
    let connected: Promise<GraphController> | undefined;
    let controller: GraphController | undefined;
    const connect = async (): Promise<GraphController> => {
      const [services, { connectGraph }] = await Promise.all([
        this.services(),
        import('./connectGraph'),
      ]);
      return connectGraph(services, (frame) => this.#post(panel, frame));
    };
    const ends = vscode.Disposable.from(
      webview.onDidReceiveMessage(async (data: unknown) => {
        try {
          connected ??= connect();
          controller = await connected;
          if (this.#panel === panel) await controller.receive(data);
        } catch (error) {
          connected = undefined;
          this.warn('The graph could not be opened', error);
        }
      }),
      panel.onDidChangeViewState(() => {
        // A hidden page is destroyed, and asks for everything when it is loaded again.
        if (!panel.visible) controller?.pause();
      }),
    );
    panel.onDidDispose(() => {
      ends.dispose();
      controller?.dispose();
      if (this.#panel === panel) this.#panel = undefined;
    });
    webview.html = chatHtml({
      cspSource: webview.cspSource,
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(files, 'graph.js')).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(files, 'graph.css')).toString(),
      nonce: createNonce(),
      language: vscode.env.language,
      title: vscode.l10n.t('Graph'),
    });
  }

  #post({ webview }: vscode.WebviewPanel, frame: GraphFrame): void {
    // Not delivered means that the page is gone; the next one asks for everything.
    webview.postMessage(frame).then(undefined, (error: unknown) => {
      this.warn('The graph could not be told something', error);
    });
  }
}
