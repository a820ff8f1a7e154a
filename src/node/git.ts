import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The object that holds a file's bytes; where there is a size, only if the file on disk has it too. */
export interface CleanFile {
  readonly id: string;
  readonly size?: number;
}

/** What Git knows of the files in a folder; paths are relative to that folder. */
export interface GitView {
  /** The top of the work tree, and where the folder is in it (`a/b/`, or nothing at the top). */
  readonly top: string;
  readonly prefix: string;
  /** Files of the index. */
  readonly tracked: ReadonlySet<string>;
  /** Files on disk as they are in the object store. */
  readonly clean: ReadonlyMap<string, CleanFile>;
  /** Rules of ignored files that stand in no ignore file of the tree. */
  readonly excludeFiles: readonly string[];
}

/** Programs named in a repository's settings are not started for a look, and no lock is taken. */
const careful = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];

/** Runs Git and returns what it wrote; undefined where there is no Git, no repository, or it failed. */
export function git(
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<Buffer | undefined> {
  return new Promise((done) => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^GIT_|^LC_ALL$/u.test(name)),
    );
    const child = spawn('git', [...careful, ...args], {
      cwd: folder,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', () => done(undefined));
    child.on('close', (code) => done(code === 0 ? Buffer.concat(chunks) : undefined));
    // Git may end before it has read everything; its exit code tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}

/** Returns what Git knows of a folder, or undefined where no repository holds it. */
export async function viewGit(folder: string): Promise<GitView | undefined> {
  const [places, index, changed, config] = await Promise.all([
    git(folder, ['rev-parse', '--show-toplevel', '--show-prefix', '--git-path', 'info']),
    git(folder, ['ls-files', '-z', '-s', '-v']),
    git(folder, ['diff-files', '-z', '--name-only', '--relative', '--ignore-submodules=all']),
    git(folder, [
      'config',
      '-z',
      '--get-regexp',
      '^core\\.(autocrlf|eol|attributesfile|excludesfile)$',
    ]),
  ]);
  if (places === undefined || index === undefined || changed === undefined) return undefined;
  const [top = '', prefix = '', info = ''] = places.toString().split('\n');
  const infoPath = isAbsolute(info) ? info : resolve(folder, info);
  const settings = readSettings(config);
  const { tracked, objects } = readIndex(index);
  for (const path of list(changed)) objects.delete(path);
  const clean = await withoutConverted(folder, objects, {
    converts: converts(settings),
    hasAttributes:
      prefix !== '' ||
      [...tracked].some((path) => path.endsWith('.gitattributes')) ||
      attributeFiles(settings, infoPath).some((file) => existsSync(file)),
  });
  return {
    top,
    prefix,
    tracked,
    clean,
    excludeFiles: [
      expand(settings.get('core.excludesfile')) ?? join(configHome(), 'git', 'ignore'),
      join(infoPath, 'exclude'),
    ],
  };
}

/** Reads `ls-files -s -v`: files whose changes Git was told not to see are tracked, and not believed to be clean. */
function readIndex(output: Buffer): { tracked: Set<string>; objects: Map<string, string> } {
  const tracked = new Set<string>();
  const objects = new Map<string, string>();
  for (const line of list(output)) {
    const tab = line.indexOf('\t');
    const [tag, mode = '', id = '', stage] = line.slice(0, tab).split(' ');
    const path = line.slice(tab + 1);
    if (mode === '160000') continue;
    tracked.add(path);
    if (tag === 'H' && stage === '0' && mode.startsWith('100')) objects.set(path, id);
  }
  return { tracked, objects };
}

/**
 * Leaves out files that are not on disk as they are in the store (filters, encodings, keywords). Where only line ends may
 * differ, the same size says that they do not.
 */
async function withoutConverted(
  folder: string,
  objects: ReadonlyMap<string, string>,
  { converts, hasAttributes }: { converts: boolean; hasAttributes: boolean },
): Promise<ReadonlyMap<string, CleanFile>> {
  const { rewritten, lineEnds } = hasAttributes
    ? await attributes(folder, [...objects.keys()])
    : { rewritten: new Set<string>(), lineEnds: new Set<string>() };
  if (rewritten === undefined) return new Map();
  const kept = [...objects].filter(([path]) => !rewritten.has(path));
  const unsure = kept.filter(([path]) => converts || lineEnds.has(path)).map(([, id]) => id);
  const sizes = await objectSizes(folder, unsure);
  return new Map(
    kept.flatMap(([path, id]): [string, CleanFile][] => {
      if (!converts && !lineEnds.has(path)) return [[path, { id }]];
      const size = sizes.get(id);
      return size === undefined ? [] : [[path, { id, size }]];
    }),
  );
}

async function attributes(
  folder: string,
  paths: readonly string[],
): Promise<{ rewritten: Set<string> | undefined; lineEnds: Set<string> }> {
  const input = paths.map((path) => `${path}\0`).join('');
  const output = await git(folder, ['check-attr', '-z', '--all', '--stdin'], input);
  const lineEnds = new Set<string>();
  if (output === undefined) return { rewritten: undefined, lineEnds };
  const rewritten = new Set<string>();
  const fields = list(output);
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3);
    if (value === 'unset' || value === 'unspecified') continue;
    if (/^(?:filter|ident|working-tree-encoding)$/u.test(name)) rewritten.add(path);
    else if (/^(?:text|eol|crlf)$/u.test(name)) lineEnds.add(path);
  }
  return { rewritten, lineEnds };
}

/** Returns the sizes of objects that hold a file's bytes. */
async function objectSizes(
  folder: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)';
  const output = await git(folder, ['cat-file', format], `${[...new Set(ids)].join('\n')}\n`);
  return new Map(
    (output?.toString().split('\n') ?? []).flatMap((line): [string, number][] => {
      const [id, type, size] = line.split(' ');
      return id !== undefined && type === 'blob' ? [[id, Number(size)]] : [];
    }),
  );
}

function converts(settings: ReadonlyMap<string, string>): boolean {
  const autocrlf = settings.get('core.autocrlf') ?? 'false';
  return autocrlf !== 'false' || settings.has('core.eol');
}

function attributeFiles(settings: ReadonlyMap<string, string>, info: string): string[] {
  return [
    join(info, 'attributes'),
    expand(settings.get('core.attributesfile')) ?? join(configHome(), 'git', 'attributes'),
    '/etc/gitattributes',
  ];
}

function readSettings(output: Buffer | undefined): Map<string, string> {
  const settings = new Map<string, string>();
  for (const entry of output === undefined ? [] : list(output)) {
    const end = entry.indexOf('\n');
    settings.set(entry.slice(0, end).toLowerCase(), entry.slice(end + 1));
  }
  return settings;
}

function configHome(): string {
  return process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
}

function expand(path: string | undefined): string | undefined {
  return path?.replace(/^~(?=\/)/u, homedir());
}

function list(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}

/** Reads objects of one repository; those that are gone or larger than `most` are left out. */
export async function readGitObjects(
  repository: string,
  ids: readonly string[],
  most: number,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const sizes = await objectSizes(repository, ids);
  const wanted = [...sizes].filter(([, size]) => size <= most).map(([id]) => id);
  if (wanted.length === 0) return found;
  const output = await git(repository, ['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  for (let at = 0; output !== undefined && at < output.length;) {
    const end = output.indexOf(10, at);
    const [id, type, size] = output.toString('latin1', at, end).split(' ');
    const length = Number(size);
    if (end < 0 || id === undefined || type !== 'blob' || !Number.isInteger(length)) break;
    found.set(id, new Uint8Array(output.subarray(end + 1, end + 1 + length)));
    at = end + 1 + length + 1;
  }
  return found;
}
