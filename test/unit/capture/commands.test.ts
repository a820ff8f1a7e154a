import { existsSync, readdirSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gitStateOf, openPlace, treeOf, type Place } from './kit';

vi.mock('vscode', () => import('../../fakes/vscode'));

const isTold = (path: unknown): boolean => /told-\d+\.json$/u.test(String(path));
const isLook = (path: unknown): boolean => /left.*look-/u.test(String(path));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(process.platform === 'win32')('what a command changed belongs to the turn', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(() => place.close());

  /** Runs a line as a turn, then goes back, forward and back again. */
  async function there(line: string) {
    const before = await treeOf(place.root);
    const { user, reply } = await place.turn(async (turn) => {
      await place.command(turn, line);
    });
    const after = await treeOf(place.root);
    const problems: unknown[] = [];
    for (const [verb, id, wanted] of [
      ['rewind', user, before],
      ['checkout', reply, after],
      ['rewind', user, before],
    ] as const) {
      const { results } = await place.move(verb, id);
      problems.push(
        ...(results ?? []).filter(({ outcome }) => /failed|kept|uncovered/u.test(outcome)),
      );
      expect(problems).toEqual([]);
      expect(await treeOf(place.root)).toEqual(wanted);
    }
    return place.links(reply);
  }

  async function fill(): Promise<void> {
    await writeFile(place.at('go.mod'), 'm\n');
    await writeFile(place.at('logo.png'), Buffer.from('89504e470d0a1a0a0000fffe', 'hex'));
    await writeFile(place.at('a.txt'), '1\n');
    await mkdir(place.at('d'));
    await writeFile(place.at('d', 'run.sh'), 'echo\n');
    await chmod(place.at('d', 'run.sh'), 0o755);
    await symlink('a.txt', place.at('link'));
    await symlink('nowhere', place.at('nope'));
    await symlink('d', place.at('dl'));
  }
  const all =
    'rm go.mod logo.png nope dl; echo 2 > a.txt; mkdir -p gen/deep; echo x > gen/x.txt; chmod 700 d/run.sh; ' +
    'mv d/run.sh d/go.sh; ln -sfn /outside link; ln -s gen new; mkdir empty; rm -r gen/deep';

  it('C14 without Git', async () => {
    await fill();
    const links = await there(all);
    expect(links.every((link) => link.by === 'command')).toBe(true);
  });

  it('C14 R6 with Git: nothing under .git is touched', async () => {
    await fill();
    await place.git('init', '-q');
    await place.git('add', '.');
    await place.git('commit', '-qm', 'one');
    await writeFile(place.at('a.txt'), 'dirty\n');
    await writeFile(place.at('untracked'), 'u\n');
    await sleep(20);
    const git = await gitStateOf(place.root);
    await there(`${all}; rm untracked`);
    expect(await gitStateOf(place.root)).toEqual(git);
  });

  it('a folder takes the place of a file, and a file that of a folder', async () => {
    await fill();
    await there(
      'rm a.txt; mkdir a.txt; echo 1 > a.txt/in; rm -r d; echo 2 > d; rm link; mkdir link',
    );
  });

  it('a link made instead of a file leaves its target alone', async () => {
    await fill();
    await there('rm go.mod; ln -s a.txt go.mod; rm link; echo own > link');
  });

  it('a command of Git itself, commits and all, is taken back in the files', async () => {
    await fill();
    await place.git('init', '-q', '-b', 'main');
    await place.git('add', '.');
    await place.git('commit', '-qm', 'one');
    await place.git('checkout', '-qb', 'other');
    await writeFile(place.at('a.txt'), 'other\n');
    await place.git('rm', '-q', 'go.mod');
    await place.git('-c', 'x.y=z', 'commit', '-qam', 'two');
    await there('git checkout -q main');
  });

  it('files that Git keeps in another form come back as they were on disk', async () => {
    await writeFile(
      place.at('.gitattributes'),
      '*.crlf text eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16LE\n*.f filter=odd\n',
    );
    await writeFile(place.at('a.crlf'), 'one\r\ntwo\r\n');
    await writeFile(place.at('lf.crlf'), 'one\ntwo\n');
    await writeFile(place.at('a.id'), '$Id$\n');
    await writeFile(place.at('a.u16'), Buffer.from('text\n', 'utf16le'));
    await writeFile(place.at('a.f'), 'plain\n');
    await writeFile(place.at('hidden'), 'committed\n');
    await place.git('init', '-q');
    await place.git('config', 'filter.odd.clean', 'tr a-z A-Z');
    await place.git('config', 'filter.odd.smudge', 'tr A-Z a-z');
    await place.git('add', '.');
    await place.git('commit', '-qm', 'one');
    await rm(place.at('a.id'));
    await place.git('checkout', 'a.id');
    await place.git('update-index', '--assume-unchanged', 'hidden');
    await writeFile(place.at('hidden'), 'not seen by Git\n');
    await there('for f in a.* lf.crlf hidden; do echo more >> $f; done; rm lf.crlf a.u16');
    await place.git('config', 'core.autocrlf', 'true');
    await writeFile(place.at('b.txt'), 'mixed\r\nends\n');
    await place.git('add', '.');
    await place.git('commit', '-qm', 'two');
    await there('echo more >> b.txt; rm a.f hidden');
  });

  it('C12 without a Git program', async () => {
    await fill();
    await place.git('init', '-q');
    await place.git('add', '.');
    const { PATH } = process.env;
    vi.stubEnv('PATH', '/nowhere');
    try {
      const links = await there(`PATH='${PATH ?? ''}'; rm go.mod; echo 2 > a.txt`);
      expect(links).toHaveLength(2);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('what is written while it runs by somebody else is not its', async () => {
    await fill();
    const { user } = await place.turn(async (turn) => {
      const running = place.command(turn, 'echo c > by-command; sleep 0.7');
      await sleep(400);
      await writeFile(place.at('a.txt'), 'mine\n');
      place.captures.told(`${place.session.info.folders[0]?.uri ?? ''}/a.txt`);
      await running;
    });
    await place.move('rewind', user);
    expect(await readFile(place.at('a.txt'), 'utf8')).toBe('mine\n');
    expect(await treeOf(place.root)).not.toHaveProperty('by-command');
  });

  it('a child that still writes is waited for, and ends with the turn', async () => {
    await fill();
    const before = await treeOf(place.root);
    const { user } = await place.turn(async (turn) => {
      const result = await place.command(
        turn,
        '(sleep 0.1; echo 1 > late; sleep 0.4; echo 2 >> late; sleep 30; echo never > never) & echo on',
      );
      expect(result).toMatchObject({ exitCode: 0, output: 'on\n', leftRunning: true });
      await sleep(500);
    });
    expect(await readFile(place.at('late'), 'utf8')).toBe('1\n2\n');
    await place.move('rewind', user);
    await sleep(200);
    expect(await treeOf(place.root)).toEqual(before);
  });

  it('ignored folders are named once and left alone; what was too large is named', async () => {
    await place.close();
    place = await openPlace({ fileBytes: 10 });
    await writeFile(place.at('.gitignore'), 'out/\n');
    await writeFile(place.at('big'), '0123456789ab');
    await mkdir(place.at('out'));
    const { user, reply } = await place.turn(async (turn) => {
      await place.command(turn, 'mkdir out/a; echo 1 > out/a/b; echo 2 > out/c; echo 3 >> big');
    });
    expect(
      place.links(reply).map((link) => (link.type === 'change' ? [link.file, link.before] : [])),
    ).toEqual([
      ['f0/big', { kind: 'uncovered', reason: 'too large', size: 12 }],
      ['f0/out', { kind: 'uncovered', reason: 'ignored by a command' }],
    ]);
    const { results } = await place.move('rewind', user);
    expect(results?.map(({ file, outcome }) => [file, outcome])).toEqual([
      ['f0/big', 'uncovered'],
      ['f0/out', 'uncovered'],
    ]);
    expect(await readFile(place.at('out', 'c'), 'utf8')).toBe('2\n');
  });

  it.each([false, true])(
    'what a command did that a crash cut off is recorded at the next start (with Git: %s)',
    async (withGit) => {
      await fill();
      if (withGit) {
        await place.git('init', '-q');
        await place.git('add', '.');
        await place.git('commit', '-qm', 'one');
      }
      const before = await treeOf(place.root);
      const running = place.turn(async (turn) => {
        const { file } = await turn.workspace.resolve('first');
        await turn.workspace.write({ file, label: 'first' }, Buffer.from('by the agent'));
        await place.command(turn, `${all}; rm first; echo > ready; sleep 30`);
      });
      await vi.waitUntil(() => existsSync(place.at('ready')), { timeout: 10_000 });
      // Somebody saves a file in an editor while it runs.
      await writeFile(place.at('saved'), 'in an editor');
      place.captures.told(pathToFileURL(place.at('saved')).href);
      await vi.waitUntil(() => readdirSync(place.home, { recursive: true }).some(isTold), 10_000);
      // A process that is gone leaves its store as it is, and its commands end with it.
      const { home, session } = place;
      await cp(join(home, 'store'), join(home, 'left'), { recursive: true });
      await place.retrace.stop(session);
      await running;
      await writeFile(place.at('later'), 'by hand, later');
      await utimes(place.at('later'), new Date(), new Date(Date.now() + 60_000));

      const again = await openPlace({}, { home, store: join(home, 'left'), sessionId: session.id });
      const head = again.session.state.nodes.get(again.session.standing.head ?? '');
      expect(head).toMatchObject({ role: 'assistant', status: 'interrupted' });
      const links = again.links(head?.id ?? '');
      const byHand = links.filter(({ by }) => by === 'hand');
      expect(byHand.map((link) => link.type === 'change' && link.file).sort()).toEqual([
        'f0/later',
        'f0/saved',
      ]);
      await again.sessions.flush();
      expect(readdirSync(home, { recursive: true }).filter(isLook)).toEqual([]);
      const { results } = await again.move('rewind', head?.parentId ?? '');
      expect((results ?? []).filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      const { later, saved, ...rest } = await treeOf(place.root);
      expect(rest).toEqual(before);
      expect([later, saved]).not.toContain(undefined);
    },
  );
});
