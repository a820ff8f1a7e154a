import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Blobs } from '../../../src/engine/blobs';
import { Captures } from '../../../src/engine/capture/captures';
import { Copies, copyLimits, type CopyLimits } from '../../../src/engine/capture/copies';
import type { AgentTurn, CommandResult } from '../../../src/engine/ports';
import { FilesHub, SessionFiles } from '../../../src/host/files/workspaceFiles';
import { hostRuntime as runtime } from '../../../src/host/runtime';
import { createNodePowers, createShell, createTree } from '../../../src/node/main';
import { NodeFileSystem } from '../../fakes/nodeFileSystem';
import { FakeLog } from '../../fakes/runtime';
import { Uri, workspace } from '../../fakes/vscode';
import { memoryEngine, type Script } from '../../kit/memoryEngine';

const guard = new URL('../../../src/node/guard.ts', import.meta.url).href;
const run = promisify(execFile);

/** A store as a process that is gone left it, over the folder it worked on. */
export interface Again {
  readonly home: string;
  readonly store: string;
  readonly sessionId: string;
}

/** The product's engine, store and file service over this machine's disk, whose turns run real commands. */
export async function openPlace(limits: Partial<CopyLimits> = {}, again?: Again) {
  const home = again?.home ?? (await realpath(await mkdtemp(join(tmpdir(), 'capture-'))));
  const root = join(home, 'w');
  await mkdir(root, { recursive: true });
  const folder = { id: 'f0', uri: pathToFileURL(root).href, name: 'w' };
  workspace.workspaceFolders = [{ uri: Uri.parse(folder.uri) }];
  const files = new NodeFileSystem();
  const log = new FakeLog();
  const store = pathToFileURL(again?.store ?? join(home, 'store')).href;
  const blobs = new Blobs(store, { files, runtime, log });
  const tree = createTree();
  const captures = new Captures(
    {
      tree,
      copies: new Copies(tree, blobs),
      now: () => Date.now(),
      excludes: () => [],
      limits: { ...copyLimits, ...limits },
    },
    (text) => text,
  );
  const hub = new FilesHub({
    files,
    runtime,
    powers: createNodePowers(),
    wrote: (uri) => captures.told(uri),
  });
  const scripts: Record<string, Script> = {};
  const engine = await memoryEngine(
    {
      disk: files,
      workspace: new SessionFiles(hub, () => [folder]),
      blobs,
      root: store,
      folder: folder.uri,
      runtime,
      commands: {
        shell: createShell(guard),
        watcherOf: (session, tracker, keeper) =>
          captures.watch({
            id: session.id,
            folders: () => session.info.folders,
            adopt: (links) => tracker.adopt(links),
            adoptCutOff: (links) => tracker.adopt(links, true),
            keeper,
            copies: tracker.copies,
            waiting: () => undefined,
          }),
      },
    },
    scripts,
  );
  const session = again
    ? await engine.sessions.open(again.sessionId)
    : await engine.sessions.create();
  let turns = 0;
  return {
    ...engine,
    session,
    home,
    root,
    captures,
    at: (...names: string[]): string => join(root, ...names),
    /** Sends a message whose turn does this, and returns the ids of the message and its reply. */
    async turn(act: (turn: AgentTurn) => Promise<void>) {
      const text = `turn ${++turns}`;
      scripts[text] = async (turn) => {
        await act(turn);
        return undefined;
      };
      const result = await engine.retrace.send(session, { text, attachments: [] });
      if (result.status === 'failed') throw new Error(log.lines.join('\n'));
      return { user: result.userMessageId, reply: result.assistantMessageId ?? '' };
    },
    /** Runs a command in the running turn. */
    command: (turn: AgentTurn, line: string): Promise<CommandResult> =>
      turn.workspace.run({ line, timeoutMs: 20_000, onOutput: () => undefined }),
    links(reply: string) {
      const node = session.state.nodes.get(reply);
      return node?.role === 'assistant' ? node.changes : [];
    },
    async move(verb: 'rewind' | 'checkout', messageId: string) {
      const { move } = await engine.retrace.move(
        session,
        { verb, messageId, scope: 'both' },
        'keep',
      );
      return move;
    },
    git: (...args: readonly string[]) => gitIn(root, ...args),
    async close() {
      await engine.sessions.flush();
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

export type Place = Awaited<ReturnType<typeof openPlace>>;

/** Runs Git as somebody with a name and no settings. */
export async function gitIn(folder: string, ...args: readonly string[]): Promise<string> {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false'];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const { stdout } = await run('git', [...own, ...args], { cwd: folder, env });
  return stdout;
}

/** Everything below a folder: bytes, modes, link targets, folders. */
export async function treeOf(
  folder: string,
  wanted: (path: string) => boolean = (path) => !path.split('/').includes('.git'),
): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const path of (await readdir(folder, { recursive: true })).sort()) {
    if (!wanted(path)) continue;
    const file = join(folder, path);
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) all[path] = `link ${await readlink(file)}`;
    else if (stats.isDirectory()) all[path] = 'folder';
    else {
      const bytes = await readFile(file);
      all[path] = `${(stats.mode & 0o777).toString(8)} ${bytes.toString('base64')}`;
    }
  }
  return all;
}

/** Everything in the `.git` of a repository, with the time the index was written. */
export async function gitStateOf(folder: string): Promise<unknown> {
  const files = await treeOf(join(folder, '.git'), () => true);
  return { files, index: (await lstat(join(folder, '.git', 'index'))).mtimeMs };
}
