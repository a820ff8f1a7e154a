// A Chromium-based browser for the tests: one that is installed, else Debian's own where that may be installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const { env, platform } = process;

/** Returns the path of a Chrome, Chromium or Edge, installing Debian's `chromium` when there is none and this is root. */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  if (platform === 'linux' && process.getuid?.() === 0 && hasCommand('apt-get')) {
    console.log("No Chrome, Chromium or Edge found: installing Debian's chromium …");
    aptGet('update');
    aptGet('install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation');
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(
    'The browser tests need Google Chrome, Chromium or Microsoft Edge. Install one of them' +
      (platform === 'linux' ? ' (on Debian or Ubuntu: sudo apt-get install chromium)' : '') +
      ', or name its executable in RETRACE_BROWSER.',
  );
}

function aptGet(...args: string[]): void {
  spawnSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** Starts the browser without a window; it ends with this process at the latest. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = ensureBrowser();
  const args = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ];
  args.push('--disable-component-update', '--disable-sync', '--disable-dev-shm-usage');
  // Chromium refuses its sandbox to root, as which containers run.
  if (platform === 'linux' && process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({
    executablePath,
    args,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function findBrowser(): string | undefined {
  if (env['RETRACE_BROWSER']) return env['RETRACE_BROWSER'];
  return candidates().find((path) => existsSync(path));
}

function candidates(): string[] {
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
    const folders = ['/Applications', join(env['HOME'] ?? '', 'Applications')];
    return folders.flatMap((folder) =>
      names.map((name) => join(folder, `${name}.app/Contents/MacOS/${name}`)),
    );
  }
  if (platform === 'win32') {
    const paths = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ];
    const folders = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']].filter(
      (folder) => folder !== undefined,
    );
    return folders.flatMap((folder) => paths.map((path) => join(folder, path)));
  }
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome-stable',
    'google-chrome',
    'microsoft-edge-stable',
    'microsoft-edge',
  ];
  const folders = [
    ...(env['PATH'] ?? '').split(delimiter),
    '/usr/bin',
    '/snap/bin',
    '/usr/local/bin',
  ];
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function hasCommand(name: string): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
