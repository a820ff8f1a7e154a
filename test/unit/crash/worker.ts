// Run by the crash test in a process of its own: `work` does random things until it is killed, `check` is the next start.
import { writeSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenSession } from '../../../src/engine/openSession';
import type { AgentTurn } from '../../../src/engine/ports';
import type { Script } from '../../kit/memoryEngine';
import { realEngine } from '../../kit/realEngine';
import { content, isWhole, type Found, type Said } from './protocol';

const [mode, place = '', seedText = '0'] = process.argv.slice(2);
const work = join(place, 'work');
const names = ['a.txt', 'b.txt', 'd/c.txt', 'd/e/g.txt'];
let seed = Number(seedText);

/** A number below `limit`, the same ones for the same seed. */
function random(limit: number): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
}

const pick = <T>(list: readonly T[]): T | undefined => list[random(Math.max(list.length, 1))];
/** Written at once, so that what was acknowledged is known however soon the end comes. */
const say = (line: Said | Found): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const scripts: Record<string, Script> = {};
const engine = await realEngine(place, scripts);
const { retrace, sessions } = engine;

async function acts(turn: AgentTurn, text: string): Promise<undefined> {
  const user = turn.history.at(-1);
  if (user !== undefined) say({ type: 'node', session: turn.model.model, id: user.id, text });
  for (let n = random(4); n >= 0; n -= 1) {
    const file = await turn.workspace.resolve(pick(names) ?? '');
    const there = await turn.workspace.read(file);
    const what = random(6);
    turn.sink.setPart(0, { type: 'text', text: `${text} ${n}` });
    if (what === 0 && there !== undefined) await turn.workspace.delete(file);
    else if (what === 1 && there !== undefined) {
      const to = await turn.workspace.resolve(pick(names) ?? '');
      await turn.workspace.rename(file, to).catch(() => undefined);
    } else
      await turn.workspace.write(
        file,
        content(`${text}-${n}`, [30, 5_000, 1_500_000][random(3)] ?? 30),
      );
  }
  return undefined;
}

async function send(session: OpenSession, text: string): Promise<void> {
  scripts[text] = (turn) => acts({ ...turn, model: { ...turn.model, model: session.id } }, text);
  say({ type: 'try', text });
  const sent = await retrace.send(session, { text, attachments: [] });
  if (sent.assistantMessageId !== undefined)
    say({ type: 'node', session: session.id, id: sent.assistantMessageId });
}

async function move(session: OpenSession): Promise<void> {
  const nodes = [...session.state.nodes.values()];
  const users = nodes.filter(({ role }) => role === 'user');
  const verb = pick(['rewind', 'checkout', 'switch', 'undo', 'redo'] as const) ?? 'undo';
  const target = pick(verb === 'rewind' ? users : nodes);
  if (target === undefined) return;
  const request = { verb, messageId: target.id, scope: pick(['both', 'chat'] as const) ?? 'both' };
  const { move: done } = await retrace.move(
    session,
    request,
    pick(['keep', 'restore'] as const) ?? 'keep',
  );
  say({ type: 'move', session: session.id, id: done.id });
}

async function workOn(): Promise<never> {
  const open: OpenSession[] = [];
  for (const card of (await sessions.cards()).slice(0, 3)) open.push(await sessions.open(card.id));
  say({ type: 'ready' });
  for (let n = 0; ; n += 1) {
    const session = pick(open);
    const what = random(10);
    if (session === undefined || (what === 0 && open.length < 4)) {
      const made = await sessions.create();
      say({ type: 'session', id: made.id });
      open.push(made);
    } else if (what === 1 && open.length < 4) {
      const fork = await retrace.fork(session, {});
      say({ type: 'session', id: fork.id });
      open.push(fork);
    } else if (what === 2) {
      await session.typeDraft({ text: `draft ${seed}`, attachments: [] });
    } else if (what === 3) await engine.store.seal(session.id, 2);
    else if (what < 7) await send(session, `s${seedText}-${n}`);
    // What cannot be done from where the session stands is refused, which is an answer too.
    else await move(session).catch(() => undefined);
  }
}

async function torn(): Promise<string[]> {
  const all = await readdir(work, { recursive: true, withFileTypes: true });
  const files = all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const wrong: string[] = [];
  for (const file of files) if (!isWhole(await readFile(file))) wrong.push(file);
  return wrong;
}

async function check(): Promise<void> {
  const open: OpenSession[] = [];
  for (const card of await sessions.cards()) open.push(await sessions.open(card.id));
  const found = open.map((session) => ({
    id: session.id,
    nodes: [...session.state.nodes.values()].map((node) => ({
      id: node.id,
      ...(node.role === 'user' && { text: node.text }),
    })),
    moves: session.state.steps.flatMap((step) =>
      step.type === 'move' && step.move.results !== undefined ? [step.move.id] : [],
    ),
    lost: [session.standing.head, session.standing.filesHead].filter(
      (id) => id !== null && !session.state.nodes.has(id),
    ).length,
  }));
  const tornFiles = await torn();
  const [first] = open;
  const session = first ?? (await sessions.create());
  const text = `check${seedText}`;
  scripts[text] = async ({ workspace }) => {
    const file = await workspace.resolve('checked.txt');
    await workspace.read(file);
    await workspace.write(file, content(text, 100));
    return undefined;
  };
  const sent = await retrace.send(session, { text, attachments: [] });
  const { move: back } = await retrace.move(
    session,
    { verb: 'rewind', messageId: sent.userMessageId, scope: 'both' },
    'keep',
  );
  const usable =
    sent.status === 'done' && (back.results ?? []).every(({ outcome }) => outcome !== 'failed');
  await sessions.flush();
  say({ type: 'found', sessions: found, tornFiles, usable, told: engine.told });
  // The second copies behind the backups need not be waited for.
  process.exit(0);
}

await mkdir(work, { recursive: true });
await (mode === 'check' ? check() : workOn());
