// A VS Code window in a browser without a window of its own, with Retrace in it.
import { appendFileSync, mkdirSync } from 'node:fs';
import { readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import { launchBrowser } from './browser.mts';
import { root } from './install.mts';
import { startServer } from './server.mts';
import type { Server, ServerOptions } from './server.mts';

/** The host an extension runs in: Node beside the server, or a web worker in the browser. */
export type Host = 'node' | 'web';

export interface WorkbenchOptions extends Omit<ServerOptions, 'extensions' | 'testing'> {
  /** The absolute path of the folder, or of the `.code-workspace` file, that is opened; none opens an empty window. */
  folder?: string;
  host?: Host;
  /** Folders of further extensions to load as Retrace is. */
  extensions?: readonly string[];
  /** More of what the page is told at its start, as VS Code's own pairs. */
  payload?: readonly (readonly [string, string])[];
  /** The label of a colour theme, as its settings id. */
  theme?: string;
  size?: { width: number; height: number };
  /** A server to open another window on; it is then not stopped with the window. */
  server?: Server;
  /** A browser to share; each window still has a profile of its own. */
  browser?: Browser;
  /** Another window's context, to open this one with the same profile; it is then not closed with the window. */
  context?: BrowserContext;
  /** Takes what the window and the extensions in it print. */
  consoleFile?: string;
  /** Called before the page is loaded, to put functions in its way. */
  prepare?: (page: Page) => Promise<void>;
}

export interface Workbench {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly browser: Browser;
  readonly server: Server;
  /** The inside of Retrace's chat view; found anew at each use, so it outlives hiding and reloading. */
  readonly chat: FrameLocator;
  /** Runs a VS Code command in this window's extension host and returns its result; a thrown error keeps its code. */
  execute<T = unknown>(command: string, ...args: unknown[]): Promise<T>;
  /** Begins a command whose window may be gone before it answers; it is never asked a second time. */
  begin(command: string, ...args: unknown[]): Promise<void>;
  /** Ends this window's extension host as a crash does: it has no time to say anything. */
  killHost(): Promise<void>;
  /** Runs a command by its title, the way a user does. */
  runFromPalette(title: string): Promise<void>;
  /** Loads the window anew, once VS Code has stored what it is to bring back: its state that names `stored`. */
  reload(stored?: string): Promise<void>;
  /** Closes the window, and with it the browser and the server that were started for it. */
  close(): Promise<void>;
}

/** What no test and no first look wants: welcome pages, other chats, tips, questions to the network. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
};

/** Opens a window and resolves when VS Code has drawn itself. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const settings = {
    ...quietSettings,
    ...(options.theme ? { 'workbench.colorTheme': options.theme } : {}),
    ...options.settings,
  };
  const server =
    options.server ??
    (await startServer({
      ...options,
      settings,
      testing: true,
      extensions: [join(root, 'test', 'kit', 'bridge')],
    }));
  const browser = options.context?.browser() ?? options.browser ?? (await launchBrowser());
  const context =
    options.context ??
    (await browser.newContext({
      viewport: options.size ?? { width: 1280, height: 800 },
      ...(options.locale ? { locale: options.locale } : {}),
      reducedMotion: 'reduce',
    }));
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  const page = await context.newPage();
  if (options.consoleFile) keepConsole(page, options.consoleFile);
  await options.prepare?.(page);
  await page.goto(address(server, options));
  await drawn(page);

  return {
    page,
    context,
    browser,
    server,
    chat: chatFrame(page),
    execute: (command, ...args) => execute(server, options.folder ?? '', command, args),
    async begin(command, ...args) {
      const bridge = await bridgeOf(server, options.folder ?? '');
      if (bridge !== undefined) await ask(bridge.port, { command, args });
    },
    async killHost() {
      const bridge = await bridgeOf(server, options.folder ?? '');
      if (bridge === undefined) throw new Error('There is no extension host.');
      process.kill(bridge.pid, 'SIGKILL');
      // It can no longer take its own word back.
      await rm(bridge.file);
    },
    runFromPalette: (title) => runFromPalette(page, title),
    async reload(stored) {
      if (stored !== undefined) await isStored(page, stored);
      await page.reload();
      await drawn(page);
    },
    async close() {
      await (options.context ? page : context).close();
      if (!options.context && !options.browser) await browser.close();
      if (!options.server) await server.stop();
    },
  };
}

/** The inside of the chat view's page. */
export function chatFrame(page: Page): FrameLocator {
  const outer =
    'iframe.webview.ready[src*="extensionId=retrace.retrace"][src*="purpose=webviewView"]';
  return page.frameLocator(outer).frameLocator('iframe#active-frame');
}

function address(server: Server, options: WorkbenchOptions): string {
  const remote = (path: string): string =>
    `vscode-remote://localhost:${server.port}${encodeURI(path.replaceAll('\\', '/'))}`;
  const payload: (readonly [string, string])[] = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  const own = options.vsix ? [] : [root];
  for (const path of [...own, ...(options.extensions ?? [])])
    payload.push(['extensionDevelopmentPath', remote(path)]);
  if (options.host === 'web') payload.push(['extensionDevelopmentKind', 'web']);
  for (const [key, value] of options.payload ?? [])
    payload.push([key, value.startsWith('/') ? remote(value) : value]);

  const url = new URL(server.url);
  const { folder } = options;
  if (folder)
    url.searchParams.set(folder.endsWith('.code-workspace') ? 'workspace' : 'folder', folder);
  else url.searchParams.set('ew', 'true');
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

async function drawn(page: Page): Promise<void> {
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 60_000 });
}

/** VS Code in a browser stores a window's state now and then, and not when the page is left. */
async function isStored(page: Page, text: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await page.evaluate(storedState)).some((value) => value.includes(text))) {
    if (Date.now() > deadline) throw new Error(`VS Code never stored a state with ${text}.`);
    await sleep(200);
  }
}

/** Runs in the page: the values of all of VS Code's state databases. */
async function storedState(): Promise<string[]> {
  const promised = <T,>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The database did not answer.'));
    });
  const infos = await indexedDB.databases();
  const names = infos.flatMap(({ name }) => (name?.startsWith('vscode-web-state') ? [name] : []));
  const all = await Promise.all(
    names.map(async (name) => {
      const db = await promised(indexedDB.open(name));
      const stores = Array.from(db.objectStoreNames);
      const values = await Promise.all(
        stores.map((store) => promised(db.transaction(store).objectStore(store).getAll())),
      );
      db.close();
      return values.flat().map(String);
    }),
  );
  return all.flat();
}

async function runFromPalette(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  // What was done before may still be taking the focus, which closes the palette again.
  for (let tries = 1; ; tries++) {
    await page.keyboard.press('F1');
    try {
      await input.waitFor({ timeout: 5_000 });
      await input.fill(`>${title}`, { timeout: 5_000 });
      break;
    } catch (error) {
      if (tries === 4) throw error;
      await page.keyboard.press('Escape');
    }
  }
  await page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ hasText: title })
    .first()
    .click();
}

/** Asks the bridge of the newest window on `folder`; a window that is just starting gets its time. */
async function execute<T>(
  server: Server,
  folder: string,
  command: string,
  args: unknown[],
): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const bridge = await bridgeOf(server, folder);
    const answer = bridge === undefined ? undefined : await ask(bridge.port, { command, args });
    if (answer?.error) throw Object.assign(new Error(answer.error.message), answer.error);
    if (answer) return answer.value as T;
    if (Date.now() > deadline) throw new Error(`No window answers for ${folder}.`);
    await sleep(100);
  }
}

interface Answer {
  value?: unknown;
  error?: { name?: string; code?: string; message: string };
}

interface Bridge {
  readonly file: string;
  readonly port: number;
  readonly pid: number;
}

/** Finds the bridge of the newest window on a folder. */
async function bridgeOf(server: Server, folder: string): Promise<Bridge | undefined> {
  const home = join(server.dataFolder, 'bridge');
  const names = await readdir(home).catch(() => []);
  for (const name of names.sort().reverse()) {
    const file = join(home, name);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (!text) continue;
    const { port, pid, place } = JSON.parse(text) as Bridge & { place: string };
    if (place === folder) return { file, port, pid };
  }
  return undefined;
}

async function ask(port: number, body: unknown): Promise<Answer | undefined> {
  const request = { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}`, request).catch((error: unknown) => {
    // The window went away, or is not there yet; anything else is a fault of the test.
    if (error instanceof TypeError) return undefined;
    throw error;
  });
  return response && ((await response.json()) as Answer);
}

function keepConsole(page: Page, file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  page.on('console', (message) => appendFileSync(file, `${message.type()} ${message.text()}\n`));
  page.on('pageerror', (error) => appendFileSync(file, `error ${error.stack ?? error.message}\n`));
}
