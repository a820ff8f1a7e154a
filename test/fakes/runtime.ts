import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Log, Runtime } from '../../src/engine/ports.ts';
import { logLine } from '../../src/host/logLine.ts';

const deflate = promisify(gzip);
const inflate = promisify(gunzip);

/** A runtime whose clock and ids a test owns: the clock stands until it is moved, ids count up. */
export class FakeRuntime implements Runtime {
  time = 1_700_000_000_000;
  #ids = 0;

  constructor(private readonly prefix = 'id') {}

  now(): number {
    return this.time;
  }

  newId(): string {
    return `${this.prefix}${++this.#ids}`;
  }

  async sha256(bytes: Uint8Array): Promise<string> {
    return createHash('sha256').update(bytes).digest('hex');
  }

  async deflate(bytes: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await deflate(bytes));
  }

  async inflate(bytes: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await inflate(bytes));
  }
}

/** A log that keeps its lines, as the output channel would show them. */
export class FakeLog implements Log {
  readonly lines: string[] = [];

  info(message: string): void {
    this.lines.push(`info ${message}`);
  }

  warn(message: string, error?: unknown): void {
    this.lines.push(`warn ${logLine(message, error)}`);
  }

  error(message: string, error?: unknown): void {
    this.lines.push(`error ${logLine(message, error)}`);
  }
}
