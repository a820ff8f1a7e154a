import { fork } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandEnd, RunningCommand } from '../../../src/engine/commands';
import { createShell } from '../../../src/node/shell';

const guard = new URL('../../../src/node/guard.ts', import.meta.url).href;
const shell = createShell(guard);
let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'shell-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ran {
  readonly command: RunningCommand;
  output(): string;
}

function start(line: string, timeoutMs = 20_000): Ran {
  let output = '';
  const command = shell.start({
    line,
    folder: pathToFileURL(folder).href,
    timeoutMs,
    onOutput: (text) => (output += text),
  });
  return { command, output: () => output };
}

async function run(line: string, timeoutMs?: number): Promise<CommandEnd & { output: string }> {
  const { command, output } = start(line, timeoutMs);
  const end = await command.ended;
  return { ...end, output: output() };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function pidIn(name: string): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    if (/^\d+\n$/u.test(text)) return Number(text);
    await sleep(20);
  }
  throw new Error('It did not start.');
}

async function gone(pid: number, ms: number): Promise<boolean> {
  const until = Date.now() + ms;
  while (Date.now() < until) {
    if (!isRunning(pid) || (await isZombie(pid))) return true;
    await sleep(30);
  }
  return false;
}

/** Where nobody collects what a dead parent leaves, an ended process keeps its number. */
async function isZombie(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return / Z /u.test(stat.slice(stat.lastIndexOf(')')));
}

describe.skipIf(process.platform === 'win32')('commands', () => {
  it('give their output in order, their exit code, and run in their folder with the user’s environment', async () => {
    const end = await run(
      'pwd; echo err >&2; echo "$HOME|$VSCODE_PID|$ELECTRON_RUN_AS_NODE"; exit 3',
    );
    expect(end).toEqual({
      why: 'exited',
      exitCode: 3,
      leftRunning: false,
      output: `${folder}\nerr\n${process.env['HOME'] ?? ''}||\n`,
    });
    expect(await run('cat; echo read')).toMatchObject({ exitCode: 0, output: 'read\n' });
  });

  it('never split a character', async () => {
    const end = await run(
      String.raw`printf '\342'; sleep 0.1; printf '\202'; sleep 0.1; printf '\254 100\n'`,
    );
    expect(end.output).toBe('€ 100\n');
  });

  it('are ended by their time limit', async () => {
    const began = Date.now();
    const end = await run('echo on; sleep 30; echo never', 500);
    expect(end).toMatchObject({ why: 'timed out', output: 'on\n' });
    expect(end.exitCode).toBeUndefined();
    expect(Date.now() - began).toBeLessThan(4_000);
  });

  it('are stopped within five seconds with all they started, deaf ones too', async () => {
    const { command } = start(
      `trap '' TERM; sh -c 'trap "" TERM; echo $$ > child; while :; do sleep 0.2; done' & while :; do sleep 0.2; done`,
    );
    const pid = await pidIn('child');
    const began = Date.now();
    await command.stop();
    expect(await command.ended).toMatchObject({ why: 'stopped' });
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(await gone(pid, 1_000)).toBe(true);
  });

  it('say what they leave running, and end that when told', async () => {
    const { command } = start('(sleep 30 & echo $! > child); echo done');
    const end = await command.ended;
    expect(end).toMatchObject({ exitCode: 0, leftRunning: true });
    const pid = await pidIn('child');
    expect(isRunning(pid)).toBe(true);
    await command.stop();
    expect(await gone(pid, 1_000)).toBe(true);
  });

  it('die with their host', async () => {
    const host = join(folder, 'host.mts');
    const module = new URL('../../../src/node/shell.ts', import.meta.url).href;
    await writeFile(
      host,
      `import { createShell } from ${JSON.stringify(module)};
       createShell(${JSON.stringify(guard)}).start({ line: 'echo $$ > child; sleep 60; echo late > late',
         folder: ${JSON.stringify(pathToFileURL(folder).href)}, timeoutMs: 60000, onOutput: () => undefined });
       setInterval(() => undefined, 1000);`,
    );
    const process_ = fork(host, [], { execArgv: [], stdio: 'ignore' });
    const pid = await pidIn('child');
    process_.kill('SIGKILL');
    expect(await gone(pid, 4_000)).toBe(true);
  });

  it('say that they could not be started', async () => {
    const { command } = start('echo');
    await command.ended;
    const elsewhere = shell.start({
      line: 'echo',
      folder: pathToFileURL(join(folder, 'no')).href,
      timeoutMs: 1_000,
      onOutput: () => undefined,
    });
    await expect(elsewhere.ended).rejects.toThrow(/ENOENT/u);
  });
});
