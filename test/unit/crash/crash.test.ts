import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildForNode } from '../../kit/buildForNode';
import type { Found, FoundSession, Said } from './protocol';

const runs = Number(process.env['CRASH_RUNS'] ?? 20);
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
/** So many processes in turn work on one store and one workspace. */
const killsOfOne = 5;
/** The longest a process lives once it is at work, in milliseconds. */
const longest = 600;

let worker = '';
beforeAll(async () => {
  worker = await buildForNode('test/unit/crash/worker.ts');
});

/** What was acknowledged of one store, and what was tried. */
class Told {
  readonly sessions = new Set<string>();
  readonly nodes: Extract<Said, { type: 'node' }>[] = [];
  readonly moves: Extract<Said, { type: 'move' }>[] = [];
  readonly tried = new Set<string>();

  hear(said: Said): void {
    if (said.type === 'session') this.sessions.add(said.id);
    else if (said.type === 'node') this.nodes.push(said);
    else if (said.type === 'move') this.moves.push(said);
    else if (said.type === 'try') this.tried.add(said.text);
  }

  check({ sessions, tornFiles, usable }: Found, where: string): void {
    const found = new Map(sessions.map((one): [string, FoundSession] => [one.id, one]));
    for (const id of this.sessions) expect(found.has(id), `${where}: session ${id}`).toBe(true);
    for (const { session, id, text } of this.nodes) {
      const node = found.get(session)?.nodes.find((one) => one.id === id);
      expect(node, `${where}: message ${id}`).toBeDefined();
      if (text !== undefined) expect(node?.text).toBe(text);
    }
    for (const { session, id } of this.moves)
      expect(found.get(session)?.moves, `${where}: move ${id}`).toContain(id);
    for (const { nodes, lost } of sessions) {
      expect(lost, where).toBe(0);
      expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
      for (const { text } of nodes)
        if (text !== undefined && !text.startsWith('check')) expect(this.tried).toContain(text);
    }
    expect(tornFiles, `${where}: torn files`).toEqual([]);
    expect(usable, `${where}: usable`).toBe(true);
  }
}

const places: string[] = [];
afterAll(async () => {
  for (const place of places) await rm(place, { recursive: true, force: true });
});

/** Lets a process work and ends it without a word, at an instant that the number of the run chooses. */
async function workAndKill(place: string, run: number, told: Told): Promise<void> {
  const child = spawn(process.execPath, [worker, 'work', place, String(run)]);
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => (complaint += data.toString()));
  const exit = once(child, 'exit');
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const line of createInterface(child.stdout)) {
    // A line that was cut says nothing.
    if (!line.endsWith('}')) continue;
    const said = JSON.parse(line) as Said;
    told.hear(said);
    if (said.type === 'ready')
      timer = setTimeout(() => child.kill('SIGKILL'), (run * 7_919) % longest);
  }
  await exit;
  clearTimeout(timer);
  if (child.signalCode !== 'SIGKILL') throw new Error(`run ${run} ended by itself: ${complaint}`);
}

async function nextStart(place: string, run: number): Promise<Found> {
  const child = spawn(process.execPath, [worker, 'check', place, String(run)]);
  let [output, complaint] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (complaint += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the start after run ${run} failed: ${complaint}`);
  return JSON.parse(output) as Found;
}

test(
  `C47 C48 a process killed ${runs} times at any instant loses nothing it acknowledged (CRASH_SEED=${seed})`,
  { timeout: runs * 20_000 },
  async () => {
    let place = '';
    let told = new Told();
    for (let run = 0; run < runs; run += 1) {
      if (run % killsOfOne === 0) {
        place = await mkdtemp(join(tmpdir(), 'retrace-crash-'));
        places.push(place);
        told = new Told();
      }
      await workAndKill(place, seed + run, told);
      told.check(await nextStart(place, seed + run), `CRASH_SEED=${seed}, run ${run}`);
    }
  },
);
