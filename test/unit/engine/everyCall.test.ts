import { describe, expect, test, vi } from 'vitest';
import { sameContent, type FileState } from '../../../src/core/changes';
import { keyUri, type FileKey } from '../../../src/core/fileKey';
import { ancestors } from '../../../src/core/graph';
import { knownState } from '../../../src/core/known';
import { RetraceError } from '../../../src/engine/errors';
import type { MoveRequest } from '../../../src/engine/movePlan';
import type { OpenSession } from '../../../src/engine/openSession';
import type { AgentTurn, FsErrorCode } from '../../../src/engine/ports';
import { hostRuntime } from '../../../src/host/runtime';
import { MemoryFileSystem, type Fault } from '../../fakes/memoryFileSystem';
import type { Script } from '../../kit/memoryEngine';
import { productEngine } from '../../kit/realEngine';

/** An agent that tries again what a tool could not do, as a model does. */
async function edit({ workspace }: AgentTurn, path: string, text: string): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      const file = await workspace.resolve(path);
      await workspace.read(file);
      await workspace.write(file, new TextEncoder().encode(text));
      return;
    } catch (error) {
      if (tries === 3) throw error;
    }
  }
}

const scripts: Record<string, Script> = {
  one: async (turn) => {
    await edit(turn, 'a.txt', 'one is more than zero\n');
    await edit(turn, 'b.txt', 'one here too\n');
    await edit(turn, 'made/new.txt', 'new here\n');
    return undefined;
  },
  'another way': async (turn) => {
    await edit(turn, 'a.txt', 'another way altogether\n');
    return undefined;
  },
};

const before = { 'memory:/work/a.txt': 'zero\n', 'memory:/work/b.txt': 'zero too\n' };

type Texts = Readonly<Record<string, string>>;
const texts = (work: MemoryFileSystem): Texts =>
  Object.fromEntries(work.uris().map((uri) => [uri, new TextDecoder().decode(work.bytes(uri))]));

type Faults = MemoryFileSystem['fault'];
const none: Faults = () => undefined;

interface Job {
  readonly disk: MemoryFileSystem;
  readonly folder: MemoryFileSystem;
  readonly errors: readonly unknown[];
  readonly session: OpenSession;
  /** What the files held when a reply had been acknowledged, by its id. */
  readonly replies: ReadonlyMap<string, Texts>;
}

/** Send, rewind, edit and resend, switch back, undo. What fails is tried again if it was not done, as a person does. */
async function mainJob(storeFault: Faults, workFault: Faults): Promise<Job> {
  const [disk, folder] = [new MemoryFileSystem(), new MemoryFileSystem()];
  for (const [uri, text] of Object.entries(before))
    folder.damage(uri, () => new TextEncoder().encode(text));
  const [store, work] = [new MemoryFileSystem(disk), new MemoryFileSystem(folder)];
  const errors: unknown[] = [];
  const again = async <T>(act: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        errors.push(error);
        if (tries === 3) throw error;
      }
    }
  };
  const { retrace, sessions } = await again(() => productEngine({ files: store, work }, scripts));
  const session = await again(() => sessions.create());
  store.fault = storeFault;
  work.fault = workFault;
  const replies = new Map<string, Texts>();
  const note = ({ status, assistantMessageId }: Awaited<ReturnType<typeof retrace.send>>): void => {
    if (status === 'done' && assistantMessageId !== undefined)
      replies.set(assistantMessageId, texts(folder));
  };
  const answered = (text: string): string | undefined =>
    [...session.state.nodes.values()].find(
      (node) =>
        node.role === 'assistant' &&
        node.status !== 'running' &&
        ancestors(session.state.nodes, node.id).some(
          (each) => each.role === 'user' && each.text === text,
        ),
    )?.id;
  const moves = (): number =>
    session.state.steps.filter((step) => step.type === 'move' && step.move.results !== undefined)
      .length;
  /** Until nothing stays apart, or a try changes nothing. */
  const bringAlong = async (): Promise<void> => {
    for (let tries = 0; tries < 3 && session.apartFiles.length > 0; tries += 1)
      await retrace.move(session, { verb: 'files', scope: 'files' }, 'keep');
  };
  const move = async (verb: 'rewind' | 'switch' | 'undo', messageId?: string): Promise<void> => {
    const had = moves();
    const target = messageId === undefined ? {} : { messageId };
    await again(async () => {
      if (moves() === had) await retrace.move(session, { verb, scope: 'both', ...target }, 'keep');
    });
    await again(bringAlong);
  };

  const all = async (): Promise<void> => {
    await again(async () => {
      if (answered('one') === undefined)
        note(await retrace.send(session, { text: 'one', attachments: [] }));
    });
    const reply = answered('one') ?? '';
    const first = session.state.nodes.get(reply)?.parentId ?? '';
    await move('rewind', first);
    await again(async () => {
      if (answered('another way') !== undefined) return;
      const draft = { text: 'another way', attachments: [] };
      const request = { verb: 'edit', scope: 'both', messageId: first, draft } as const;
      const { plan } = await retrace.move(session, request, 'keep');
      note(await retrace.continueAfter(session, plan));
    });
    await move('switch', first);
    await move('undo');
  };
  // Somebody who was told four times that it cannot be done gives up.
  await all().catch(() => undefined);
  store.fault = none;
  work.fault = none;
  await sessions.flush();
  // What was not stored when it was done is stored before anything else is.
  await sessions.beforeActing(session);
  return { disk, folder, errors, session, replies };
}

const pathOf = ({ state, standing }: OpenSession): string[] =>
  ancestors(state.nodes, standing.head).map(({ id }) => id);

/** Names the files that hold something else than the session says of them, and that it does not name as apart. */
function unsaid({ state, standing, info }: OpenSession, files: Texts): Promise<string[]> {
  const checks = [...state.origins.keys()].map(async (file: FileKey) => {
    const text = files[keyUri(info.folders, file) ?? ''];
    const known = knownState(state.nodes, state.origins, file, standing.filesHead);
    if (file in standing.apart || known?.kind === 'uncovered' || known?.kind === 'folder')
      return [];
    const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
    const now: FileState =
      bytes === undefined
        ? { kind: 'absent' }
        : { kind: 'file', hash: await hostRuntime.sha256(bytes), size: bytes.length };
    return known !== undefined && sameContent(known, now)
      ? []
      : [`${file} holds ${JSON.stringify(text)}`];
  });
  return Promise.all(checks).then((found) => found.flat());
}

/** Waits until a window that could not say that its work is done counts as gone. */
async function whenFree<T>(act: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (tries === 20 || !(error instanceof RetraceError) || error.code !== 'run_active')
        throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** With a fault that went by at `once`, no file may stay that Retrace knows nothing of. */
async function check(job: Job, where: string, once = true): Promise<void> {
  const { disk, folder, errors, session, replies } = job;
  for (const error of errors) {
    expect(error, where).toBeInstanceOf(RetraceError);
    expect(String(error), where).toMatch(
      /disk is full|no permission|could not be|made to fail|Another window/u,
    );
  }
  const left = texts(folder);
  expect(await unsaid(session, left), where).toEqual([]);
  const next = await productEngine(
    { files: new MemoryFileSystem(disk), work: new MemoryFileSystem(folder) },
    scripts,
  );
  const opened = await next.sessions.open(session.id);
  expect(pathOf(opened), where).toEqual(pathOf(session));
  expect([...opened.state.nodes.keys()], where).toEqual(
    expect.arrayContaining([...session.state.nodes.keys()]),
  );
  expect(texts(folder), `${where}: a start changes no file`).toEqual(left);
  expect(await unsaid(opened, left), where).toEqual([]);
  // Everything a reply left behind comes back, byte for byte, and so does what was there before the first.
  const bringsBack = async (request: MoveRequest, wanted: Texts): Promise<void> => {
    const { move } = await whenFree(() => next.retrace.move(opened, request, 'restore'));
    const named = (move.results ?? []).filter(({ outcome }) => outcome === 'uncovered');
    const uris = new Set(named.map(({ file }) => keyUri(opened.info.folders, file) ?? ''));
    const others = (files: Texts): Texts =>
      Object.fromEntries(Object.entries(files).filter(([uri]) => !uris.has(uri)));
    expect(others(texts(folder)), `${where}: ${request.verb}`).toEqual(others(wanted));
    if (once) expect([...uris], where).toEqual([]);
  };
  for (const [messageId, files] of replies)
    if (opened.standing.head !== messageId)
      await bringsBack({ verb: 'checkout', scope: 'both', messageId }, files);
  const root = [...opened.state.nodes.values()].find((node) => node.parentId === null);
  if (root !== undefined)
    await bringsBack({ verb: 'rewind', scope: 'both', messageId: root.id }, before);
}

const faults: readonly (readonly [string, FsErrorCode, boolean, number])[] = [
  ['a full disk', 'no space', false, 1],
  ['a full disk in the middle of a write', 'no space', true, 1],
  ['a disk that is full for a while', 'no space', true, 9],
  ['no permission', 'no permission', false, 1],
  ['no permission for a while', 'no permission', false, 9],
];

describe.each(faults)('C47 the main job with %s', (_, code, torn, calls) => {
  test.each(['store', 'workspace'] as const)(
    'at any call of the %s ends well or with a clear error, and nothing is lost',
    { timeout: 120_000 },
    async (side) => {
      let count = 0;
      const run = (fault: Faults): Promise<Job> =>
        side === 'store' ? mainJob(fault, none) : mainJob(none, fault);
      await run((step) => void (count = step));
      for (let at = 1; at <= count; at += calls === 1 ? 1 : 3) {
        const fails = (step: number): boolean => step >= at && step < at + calls;
        const job = await run((step) => (fails(step) ? { code, torn } : undefined));
        await check(job, `${code} at ${at} of ${count}`, calls === 1);
      }
    },
  );
});

test('C47 the main job over file systems that take their time ends well', async () => {
  const slow = (): Fault => ({ delay: new Promise((resolve) => setTimeout(resolve, 2)) });
  const job = await mainJob(slow, slow);
  expect(job.errors).toEqual([]);
  await check(job, 'slow');
});

test('C47 the main job over file systems that take half a second for each call ends well, and soon enough', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    const slow = (): Fault => ({ delay: new Promise((resolve) => setTimeout(resolve, 500)) });
    const end = new AbortController();
    const running = mainJob(slow, slow).finally(() => end.abort());
    let seconds = 0;
    for (; !end.signal.aborted && seconds < 600; seconds += 0.5)
      await vi.advanceTimersByTimeAsync(500);
    const job = await running;
    expect(job.errors).toEqual([]);
    expect(seconds).toBeLessThan(120);
    vi.useRealTimers();
    await check(job, 'half a second');
  } finally {
    vi.useRealTimers();
  }
});

test('C47 a store that takes no write at all is told at once, and nothing is changed for it', async () => {
  const job = await mainJob(
    (_, call) => (call === 'write' ? { code: 'no permission' } : undefined),
    none,
  );
  expect(job.errors.length).toBeGreaterThan(0);
  for (const error of job.errors) expect(error).toMatchObject({ code: 'storage' });
  expect(texts(job.folder)).toEqual(before);
});
