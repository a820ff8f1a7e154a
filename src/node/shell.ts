import { fork, type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandEnd, CommandRequest, RunningCommand, Shell } from '../engine/commands';

/** Shells that take a POSIX command line after `-c`; others (fish, nushell) would read another language. */
const posixShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);
/** After a command ended, what it wrote may still be on its way. */
const quiet = 100;

/** Makes the {@link Shell} of a host with processes; `guard` is the URI of the guard's program. */
export function createShell(guard: string): Shell {
  return {
    handles: (folder) => folder.startsWith('file:'),
    start: (request) => new GuardedCommand(fileURLToPath(guard), request),
  };
}

class GuardedCommand implements RunningCommand {
  readonly ended: Promise<CommandEnd>;
  readonly #guard: ChildProcess;
  readonly #gone: Promise<void>;
  #why: CommandEnd['why'] = 'exited';

  constructor(program: string, request: CommandRequest) {
    const guard = fork(program, [], {
      // Not in the host's group: a signal for the host must not take the guard along before it has done its work.
      detached: process.platform !== 'win32',
      execArgv: [],
      // In a desktop VS Code the program that runs extensions is Electron.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    this.#guard = guard;
    this.#gone = new Promise((resolve) => {
      guard.once('close', () => resolve());
      guard.once('error', () => resolve());
    });
    const drained = this.readOutput(request.onOutput);
    const timer = setTimeout(() => {
      this.#why = 'timed out';
      this.endAll();
    }, request.timeoutMs);
    this.ended = this.exit(drained).finally(() => clearTimeout(timer));
    guard.send({ ...shellCall(request.line), cwd: fileURLToPath(request.folder), env: userEnv() });
  }

  async stop(): Promise<void> {
    if (this.#why === 'exited') this.#why = 'stopped';
    this.endAll();
    await this.#gone;
  }

  private endAll(): void {
    if (this.#guard.connected) this.#guard.send({ end: true }, () => undefined);
  }

  /** Resolves when everything is read, or nothing came for a moment. */
  private readOutput(onOutput: (text: string) => void): () => Promise<void> {
    const { stdout } = this.#guard;
    let last = Date.now();
    let done = stdout === null;
    stdout?.setEncoding('utf8');
    stdout?.on('data', (text: string) => {
      last = Date.now();
      onOutput(text);
    });
    stdout?.on('close', () => (done = true));
    return async () => {
      while (!done && Date.now() - last < quiet) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
  }

  private exit(drained: () => Promise<void>): Promise<CommandEnd> {
    const guard = this.#guard;
    return new Promise((resolve, reject) => {
      let told = false;
      const end = (code: number | undefined, leftRunning: boolean): void => {
        if (told) return;
        told = true;
        void drained().then(() => {
          const exitCode = this.#why === 'exited' && code !== undefined ? { exitCode: code } : {};
          resolve({ why: this.#why, leftRunning, ...exitCode });
        });
      };
      guard.on('message', (message: unknown) => {
        const { error, code, left } = readMessage(message);
        if (error !== undefined) reject(new Error(error));
        else end(code, left);
      });
      guard.once('error', reject);
      guard.once('close', () => end(undefined, false));
    });
  }
}

interface Told {
  readonly error?: string;
  readonly code?: number;
  readonly left: boolean;
}

function readMessage(message: unknown): Told {
  if (typeof message !== 'object' || message === null) return { left: false };
  if ('error' in message) return { error: String(message.error), left: false };
  const code = 'code' in message && typeof message.code === 'number' ? { code: message.code } : {};
  return { ...code, left: 'left' in message && message.left === true };
}

function shellCall(line: string): { file: string; args: string[] } {
  if (process.platform === 'win32') {
    return { file: process.env['ComSpec'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`] };
  }
  const own = process.env['SHELL'];
  const file = own !== undefined && posixShells.has(basename(own)) ? own : '/bin/sh';
  return { file, args: ['-c', line] };
}

/** The user's environment, without what is there for VS Code's own processes, and with nothing that waits for a key. */
function userEnv(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !/^(?:VSCODE|ELECTRON)_/u.test(name)) env[name] = value;
  }
  return { ...env, PAGER: 'cat', GIT_PAGER: 'cat' };
}
