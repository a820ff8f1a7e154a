// Runs as a process of its own beside each command: when the host that asked for the command is gone, so is the command.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const windows = process.platform === 'win32';
const lookEvery = 50;
/** How long processes may take to end when asked; those that stay are killed. */
const grace = 2_000;
const afterKill = 1_000;

let child: ChildProcess | undefined;
let ending = false;

process.on('message', (message: unknown) => {
  if (isStart(message)) start(message);
  else void end();
});
process.on('disconnect', () => void end());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end());

interface Start {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

function isStart(message: unknown): message is Start {
  return typeof message === 'object' && message !== null && 'file' in message;
}

function start({ file, args, cwd, env }: Start): void {
  const started = spawn(file, args, {
    cwd,
    env,
    // A group of its own, so that all of it can be ended together and this process outlives it.
    detached: !windows,
    // One stream for both, so that lines keep their order.
    stdio: ['ignore', 1, 1],
    windowsHide: true,
    // `cmd` takes its line as it stands.
    windowsVerbatimArguments: windows,
  });
  child = started;
  started.on('error', (error) => {
    tell({ error: error.message });
    leave();
  });
  started.on('exit', (code) => void exited(code));
}

async function exited(code: number | null): Promise<void> {
  // The last processes of a pipeline may still be on their way out.
  let left = isAlive();
  for (let looks = 0; left && looks < 3; looks++) {
    await pause(lookEvery / 3);
    left = isAlive();
  }
  tell({ code, left });
  while (isAlive() && !ending) await pause(lookEvery * 2);
  if (!ending) leave();
}

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  signalAll('SIGTERM');
  if (await goneWithin(grace)) {
    leave();
    return;
  }
  signalAll('SIGKILL');
  await goneWithin(afterKill);
  leave();
}

async function goneWithin(milliseconds: number): Promise<boolean> {
  for (let waited = 0; waited < milliseconds; waited += lookEvery) {
    if (!isAlive()) return true;
    await pause(lookEvery);
  }
  return !isAlive();
}

function isAlive(): boolean {
  const pid = child?.pid;
  if (pid === undefined) return false;
  if (windows) return child?.exitCode === null && child.signalCode === null;
  try {
    process.kill(-pid, 0);
    return process.platform !== 'linux' || hasLiving(pid);
  } catch {
    return false;
  }
}

/** Where nobody collects what a dead parent leaves, an ended process still counts for `kill`. */
function hasLiving(group: number): boolean {
  try {
    return readdirSync('/proc').some((name) => /^\d+$/u.test(name) && isLivingIn(name, group));
  } catch {
    return true;
  }
}

function isLivingIn(pid: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in front may hold anything, brackets too.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(itsGroup) === group && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}

function signalAll(signal: 'SIGTERM' | 'SIGKILL'): void {
  const pid = child?.pid;
  if (pid === undefined) return;
  if (windows) {
    spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // They ended by themselves.
  }
}

function tell(message: object): void {
  if (process.connected) process.send?.(message);
}

function leave(): void {
  // What was told must have left before the process does.
  setTimeout(() => process.exit(0), 20);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
