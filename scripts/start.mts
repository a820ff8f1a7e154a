// `npm start [-- FOLDER]`: a real VS Code on loopback with Retrace in it, on a copy of the sample project or on FOLDER.
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, ensureVSCode, mainVersion, root } from '../test/kit/install.mts';
import { startServer } from '../test/kit/server.mts';
import { quietSettings } from '../test/kit/workbench.mts';
import { buildAll } from './build.mts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, 'no-open': { type: 'boolean', default: false } },
});
const own =
  positionals[0] === undefined
    ? undefined
    : resolve(process.env['INIT_CWD'] ?? '.', positionals[0]);
if (own && !existsSync(own)) {
  console.error(`There is no ${own}.`);
  process.exit(1);
}

await ensureVSCode(mainVersion);
await buildAll({ tests: false });
const place = own ?? (await copySample());
// What is kept here (sessions, settings, opened editors) is there again at the next start.
const dataFolder = join(cacheFolder, 'start');
const first = !existsSync(join(dataFolder, 'data', 'User', 'settings.json'));
const server = await startServer({
  port: await freePort(values.port),
  testing: false,
  dataFolder,
  extensions: [root, join(root, 'scripts', 'opener')],
  logFile: join(root, 'test-results', 'start.log'),
  ...(first ? { settings: quietSettings } : {}),
});

const address = new URL(server.url);
address.searchParams.set(statSync(place).isFile() ? 'workspace' : 'folder', place);
// A path is easier to read with its slashes.
const url = address.href.replaceAll('%2F', '/');
console.log(`
Retrace is running in VS Code ${mainVersion}. Open it in a browser on this machine:

  ${url}

${own ? `It works on your own folder, in place: ${place}` : `It works on a copy of the sample project: ${place}\nTo come back to this copy: npm start -- ${place}`}
Ctrl+C stops everything.
`);
if (!values['no-open']) openBrowser(url);
await server.ended;

async function copySample(): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'retrace-')), 'till');
  await cp(join(root, 'samples', 'till'), folder, { recursive: true });
  return folder;
}

/** A browser keeps its part of VS Code's state by address, so the same port is taken again if it is free. */
async function freePort(wanted: string | undefined): Promise<number> {
  const port = Number(wanted ?? 8230);
  const free = await new Promise<boolean>((done) => {
    const probe = createServer();
    probe.once('error', () => done(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)));
  });
  if (!free && wanted !== undefined) throw new Error(`Port ${wanted} is taken.`);
  return free ? port : 0;
}

function openBrowser(url: string): void {
  const { platform, env } = process;
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return;
  const [command, ...args]: [string, ...string[]] =
    platform === 'darwin'
      ? ['open', url]
      : platform === 'win32'
        ? ['cmd', '/c', 'start', '', url.replaceAll('&', '^&')]
        : ['xdg-open', url];
  // The address is on the screen: a machine without a browser is no error.
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
