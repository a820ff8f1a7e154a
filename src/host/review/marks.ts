import * as vscode from 'vscode';
import { Emitter } from '../../engine/emitter';
import type { Log } from '../../engine/ports';
import { contextKeys } from '../contributions';
import type { OpenChanges, Review } from './review';

/** How long after typing the marks are drawn again, in milliseconds. */
const pause = 150;

/** Reads the changes of the files in sight again whenever something may have moved them. */
export class Marks {
  readonly changed = new Emitter<undefined>();
  readonly #disposables: vscode.Disposable[];
  #read = new Map<string, OpenChanges>();
  #open = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> = Promise.resolve();
  #over = false;

  constructor(
    private readonly review: Review,
    private readonly log: Log,
  ) {
    const end = review.changed.on(() => this.#soon(0));
    this.#disposables = [
      new vscode.Disposable(end),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#soon(0)),
      vscode.window.onDidChangeActiveTextEditor(() => this.#tell()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#isOpen(document.uri)) this.#soon(pause);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#isOpen(uri)) this.#soon(pause);
      }),
    ];
    this.#soon(0);
  }

  /** What was last read of a file in sight. */
  of(uri: vscode.Uri): OpenChanges | undefined {
    return this.#read.get(uri.toString());
  }

  dispose(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    for (const disposable of this.#disposables) disposable.dispose();
    this.#read.clear();
    this.#tell();
    this.changed.fire(undefined);
    this.changed.clear();
  }

  #isOpen(uri: vscode.Uri): boolean {
    return this.#open.has(uri.toString());
  }

  #soon(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#reading = this.#reading
        .then(() => this.#readAll())
        .catch((error: unknown) =>
          this.log.warn('The changes of the last reply could not be marked', error),
        );
    }, delay);
  }

  async #readAll(): Promise<void> {
    const seen = new Set(
      vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()),
    );
    const open = this.review.files();
    this.#open = new Set(open.map(({ uri }) => uri));
    const files = open.filter(({ uri }) => seen.has(uri));
    const found = await Promise.all(files.map(({ uri }) => this.review.read(uri)));
    if (this.#over) return;
    this.#read = new Map(found.flatMap((one) => (one === undefined ? [] : [[one.uri, one]])));
    this.#tell();
    this.changed.fire(undefined);
  }

  #tell(): void {
    const active = vscode.window.activeTextEditor?.document.uri;
    const set = (key: string, holds: boolean): void =>
      void vscode.commands.executeCommand('setContext', key, holds);
    set(contextKeys.hasChanges, !this.#over && this.#open.size > 0);
    set(contextKeys.fileHasChanges, active !== undefined && this.of(active) !== undefined);
  }
}
