// VS Code's server on loopback, with folders of its own, and gone without a trace when stopped.
import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ensureVSCode, mainVersion } from './install.mts';
import type { Version } from './install.mts';
import { addLanguagePack } from './locale.mts';
import { atExit, endGroup, startGroup } from './processes.mts';

export interface ServerOptions {
  version?: Version;
  /** 0, the default, takes a free one. */
  port?: number;
  /** Whether workspace trust is asked for; off unless trust is under test. */
  trust?: boolean;
  /** Kept when given; otherwise a temporary folder that goes with the server. */
  dataFolder?: string;
  /** Folders of extensions to run as installed ones. */
  extensions?: readonly string[];
  /** A packed extension to install the way a user does. */
  vsix?: string;
  settings?: Readonly<Record<string, unknown>>;
  locale?: string;
  /** Whether a page may load extensions and tests through its address; only tests want that. */
  testing?: boolean;
  env?: Readonly<Record<string, string>>;
  /** Takes what the server prints. */
  logFile?: string;
}

export interface Server {
  /** `http://localhost:PORT`: webviews need a secure context, and localhost is one. */
  readonly url: string;
  readonly port: number;
  readonly version: Version;
  readonly dataFolder: string;
  /** Resolves when the server is gone, in whatever way. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts VS Code's server and resolves when it listens. */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const version = options.version ?? mainVersion;
  const home = await ensureVSCode(version);
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'retrace-vscode-')));
  const forget = options.dataFolder ? () => {} : atExit(() => removeFolder(dataFolder));
  const extensionsFolder = join(dataFolder, 'extensions');
  await install(extensionsFolder, options.extensions ?? []);
  if (options.settings) await writeSettings(dataFolder, options.settings);
  if (options.locale) await addLanguagePack(dataFolder, extensionsFolder, options.locale);

  if (options.vsix) await installVsix(home, dataFolder, extensionsFolder, options.vsix);

  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    String(options.port ?? 0),
    '--without-connection-token',
  ];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off');
  args.push('--server-data-dir', dataFolder, '--extensions-dir', extensionsFolder);
  if (options.testing ?? true) args.push('--enable-smoke-test-driver');
  if (!options.trust) args.push('--disable-workspace-trust');
  if (options.locale) args.push('--locale', options.locale);

  const child = startGroup(process.execPath, [join(home, 'out', 'server-main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnvironment({ RETRACE_BRIDGE: join(dataFolder, 'bridge'), ...options.env }),
  });
  const ended = once(child, 'exit');
  let output = '';
  const log = options.logFile ? openLog(options.logFile) : undefined;
  const port = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      log?.write(chunk);
      if (output.length > 20_000) return;
      output += chunk.toString();
      const found = /Extension host agent listening on (\d+)/.exec(output);
      if (found) resolve(Number(found[1]));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`VS Code's server ended with ${code ?? 'a signal'}:\n${output}`)),
    );
  });
  return {
    url: `http://localhost:${port}`,
    port,
    version,
    dataFolder,
    ended,
    async stop() {
      await endGroup(child);
      if (log) await once(log.end(), 'close');
      forget();
      if (!options.dataFolder) removeFolder(dataFolder);
    },
  };
}

function openLog(file: string): ReturnType<typeof createWriteStream> {
  mkdirSync(dirname(file), { recursive: true });
  return createWriteStream(file);
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** What npm and this process's own Node were told is not for the server or for the extensions in it. */
function serverEnvironment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_OPTIONS$|NODE_ENV$|VITEST|VSCODE_)/i.test(name),
  );
  // Without a gallery there is nothing to ask on the network for updates.
  return { ...Object.fromEntries(own), EXTENSIONS_GALLERY: '{"serviceUrl":""}', ...extra };
}

/** Lists the folders as installed extensions, each by a link, so that a rebuilt bundle is used at the next reload. */
async function install(extensionsFolder: string, folders: readonly string[]): Promise<void> {
  await mkdir(extensionsFolder, { recursive: true });
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
        'name' | 'publisher' | 'version',
        string
      >;
      const id = `${manifest.publisher}.${manifest.name}`;
      const link = join(extensionsFolder, `${id}-${manifest.version}`);
      rmSync(link, { recursive: true, force: true });
      await symlink(folder, link, process.platform === 'win32' ? 'junction' : 'dir');
      return {
        identifier: { id },
        version: manifest.version,
        location: { $mid: 1, path: link, scheme: 'file' },
        relativeLocation: `${id}-${manifest.version}`,
      };
    }),
  );
  await writeFile(join(extensionsFolder, 'extensions.json'), JSON.stringify(listed));
}

async function installVsix(
  home: string,
  dataFolder: string,
  extensionsFolder: string,
  vsix: string,
): Promise<void> {
  const args = ['--install-extension', vsix, '--force', '--accept-server-license-terms'];
  args.push('--server-data-dir', dataFolder, '--extensions-dir', extensionsFolder);
  const child = startGroup(process.execPath, [join(home, 'out', 'server-main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnvironment(),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The package could not be installed:\n${output}`);
}

async function writeSettings(
  dataFolder: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const level of ['User', 'Machine']) {
    const file = join(dataFolder, 'data', level, 'settings.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings, undefined, 2));
  }
}
