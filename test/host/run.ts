// What VS Code runs as the extension's tests, in Node and in a web worker alike: mocha's browser build, which asks for
// neither. Results are written beside the workspace, because a worker has no other way out that survives a crash.
import Mocha from 'mocha/mocha.js';
import * as vscode from 'vscode';
import { hostOptions } from './options';
import type { HostOptions, HostResult, HostResults } from './results';

type TestFile = readonly [name: string, load: () => Promise<unknown>];

/** Loads the files, runs what they define, and rejects when anything failed or a file turned out empty. */
export async function runFiles(files: readonly TestFile[]): Promise<void> {
  const options = Object.assign(hostOptions, await readOptions());
  const report = new Report();
  const mocha = new Mocha({
    timeout: 20_000,
    reporter: Silent,
    ...(options.grep ? { grep: options.grep } : {}),
  });
  // What mocha's loader of files would do before each: describe, it and the rest become global.
  mocha.suite.emit('pre-require', globalThis, null, mocha);
  for (const [name, load] of files) {
    const before = countTests(mocha.suite);
    const error = await load().then(() => undefined, describeError);
    if (error) report.add({ title: name, state: 'failed', ms: 0, error });
    else if (countTests(mocha.suite) === before) {
      report.add({ title: name, state: 'failed', ms: 0, error: 'This file holds no test.' });
    }
  }
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('test', (test) => report.started(test.fullTitle()));
    runner.on('pass', (test) =>
      report.add({ title: test.fullTitle(), state: 'passed', ms: test.duration ?? 0 }),
    );
    runner.on('fail', (test, error: unknown) =>
      report.add({
        title: test.fullTitle(),
        state: 'failed',
        ms: test.duration ?? 0,
        error: describeError(error),
      }),
    );
    runner.on('pending', (test) =>
      report.add({ title: test.fullTitle(), state: 'skipped', ms: 0 }),
    );
  });
  await report.finish();
  if (report.failed) throw new Error('Tests failed.');
}

/** Mocha prints to a console that nobody sees here. */
class Silent extends Mocha.reporters.Base {
  override epilogue(): void {
    // The report beside the workspace is all there is.
  }
}

/** Keeps the results file up to date, one write at a time, so that after a crash it tells how far things came. */
class Report {
  readonly #results: HostResults = {
    version: vscode.version,
    finished: false,
    running: undefined,
    tests: [],
  };
  #writing: Promise<void> | undefined;
  #dirty = false;

  get failed(): boolean {
    return this.#results.tests.some((test) => test.state === 'failed');
  }

  started(title: string): void {
    this.#results.running = title;
    this.#save();
  }

  add(result: HostResult): void {
    this.#results.running = undefined;
    this.#results.tests.push(result);
    this.#save();
  }

  async finish(): Promise<void> {
    this.#results.finished = true;
    this.#save();
    while (this.#writing) await this.#writing;
  }

  #save(): void {
    this.#dirty = true;
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#dirty) {
        this.#dirty = false;
        await vscode.workspace.fs.writeFile(
          beside('results.json'),
          new TextEncoder().encode(JSON.stringify(this.#results)),
        );
      }
    } finally {
      this.#writing = undefined;
    }
  }
}

async function readOptions(): Promise<HostOptions> {
  const bytes = await vscode.workspace.fs.readFile(beside('options.json'));
  return JSON.parse(new TextDecoder().decode(bytes)) as HostOptions;
}

function beside(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('The tests need a workspace folder.');
  return vscode.Uri.joinPath(folder.uri, '..', name);
}

function countTests(suite: Mocha.Suite): number {
  return suite.tests.length + suite.suites.reduce((sum, inner) => sum + countTests(inner), 0);
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  const values =
    actual === undefined && expected === undefined
      ? ''
      : `\n  actual: ${JSON.stringify(actual)}\n  expected: ${JSON.stringify(expected)}`;
  return `${error.stack ?? error.message}${values}`;
}
