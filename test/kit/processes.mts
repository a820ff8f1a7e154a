// Child processes that surely end: each leads a group of its own, and every way out of this process ends the groups.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

const groups = new Set<ChildProcess>();
const lastActs = new Set<() => void>();
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let guarded = false;

/** Starts a program in a process group of its own, which `endGroup` and every exit of this process end. */
export function startGroup(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  guard();
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  groups.add(child);
  const watchman = watch(child);
  child.once('exit', () => {
    watchman?.kill('SIGKILL');
    // What the leader left behind goes with it.
    signalGroup(child, 'SIGKILL');
    groups.delete(child);
  });
  child.once('error', () => groups.delete(child));
  return child;
}

/** Asks the group to end, insists after `patience` milliseconds, and resolves when its leader is gone. */
export async function endGroup(child: ChildProcess, patience = 3_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  signalGroup(child, 'SIGTERM');
  const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), patience);
  await gone;
  clearTimeout(insist);
}

/** Runs `act`, which must be synchronous, when this process ends in whatever way, unless the returned function was called. */
export function atExit(act: () => void): () => void {
  guard();
  lastActs.add(act);
  return () => lastActs.delete(act);
}

/** Starts a shell that ends the group when this process is gone without a word, which it hears by its input closing. */
function watch(child: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32' || child.pid === undefined) return undefined;
  const watchman = spawn('sh', ['-c', `cat >/dev/null; kill -KILL -- -${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchman.unref();
  // The pipe alone must not keep this process from ending.
  (watchman.stdin as Socket | null)?.unref();
  return watchman;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform !== 'win32') process.kill(-child.pid, signal);
    else spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
  } catch (error) {
    // No such process: that is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function guard(): void {
  if (guarded) return;
  guarded = true;
  process.on('exit', () => {
    for (const child of groups) signalGroup(child, 'SIGKILL');
    for (const act of lastActs) act();
  });
  let asked = false;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      // Asked twice means now.
      if (asked) process.exit(1);
      asked = true;
      void Promise.allSettled([...groups].map((child) => endGroup(child))).then(() =>
        process.exit(signal === 'SIGINT' ? 130 : 143),
      );
    });
  }
}
