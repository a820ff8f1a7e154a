import * as vscode from 'vscode';
import type { SessionFolder } from '../../core/fileKey';
import { folderKey, keyLabel } from '../../core/fileKey';
import { Emitter } from '../../engine/emitter';
import type { OpenSession } from '../../engine/openSession';
import type { InstructionsView } from '../../protocol/viewModel';
import { settings } from '../settings';
import { projectText } from './projectText';

/** No more of one file, and of all together, is sent, in characters. */
const limits = { file: 32_000, all: 64_000, files: 20 };
/** How long a look at which files there are is believed, in milliseconds. */
const lookStays = 3_000;

interface Found extends InstructionsView {
  readonly text: string;
}

interface Look {
  readonly at: number;
  readonly files: readonly InstructionsView[];
}

/** What the project itself tells an agent: the files of the setting at the top of each workspace folder. */
export class ProjectInstructions implements vscode.Disposable {
  /** Fired when other files may be used than before. */
  readonly changed = new Emitter<undefined>();
  readonly #looks = new Map<string, Look>();
  readonly #watches: vscode.Disposable;

  constructor(
    /** Says whether a path inside a folder leads out of it through a link: such a file is not used. */
    private readonly leaves: (uri: string) => Promise<boolean>,
  ) {
    this.#watches = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#touched(uri)),
      vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => this.#touched(uri))),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.#touched(uri))),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#again()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('retrace.instructions.files')) this.#again();
      }),
    );
  }

  /** Returns what a request says of them: the text as data, marked with where it is from; empty where there are none. */
  async text({ info: { folders } }: OpenSession): Promise<string> {
    if (!vscode.workspace.isTrusted) return '';
    const found = await this.#read(folders);
    this.#remember(folders, found);
    return projectText(found, limits.all);
  }

  /** Returns the files that are used, as far as was last seen; asked at every snapshot, so it waits for nothing. */
  shown({ info: { folders } }: OpenSession): readonly InstructionsView[] {
    const known = this.#looks.get(keyOf(folders));
    if (known === undefined || Date.now() - known.at > lookStays) {
      // What cannot be looked at is not used either.
      void this.#read(folders).then(
        (found) => this.#remember(folders, found),
        () => undefined,
      );
    }
    return known?.files ?? [];
  }

  dispose(): void {
    this.#watches.dispose();
    this.changed.clear();
  }

  #touched(uri: vscode.Uri): void {
    const names = settings.instructionFiles();
    if (names.some((name) => uri.path.endsWith(`/${name}`))) this.#again();
  }

  #again(): void {
    this.#looks.clear();
    this.changed.fire(undefined);
  }

  #remember(folders: readonly SessionFolder[], found: readonly Found[]): void {
    const used = vscode.workspace.isTrusted;
    const files = found.map(({ uri, label }) => ({ uri, label, used }));
    const before = this.#looks.get(keyOf(folders));
    this.#looks.set(keyOf(folders), { at: Date.now(), files });
    if (JSON.stringify(before?.files ?? []) !== JSON.stringify(files)) this.changed.fire(undefined);
  }

  async #read(folders: readonly SessionFolder[]): Promise<readonly Found[]> {
    const wanted = folders.flatMap((folder) =>
      settings.instructionFiles().flatMap((name) => {
        const key = folderKey(folder, name);
        if (key === undefined) return [];
        const path = key.slice(folder.id.length + 1);
        const uri = vscode.Uri.joinPath(vscode.Uri.parse(folder.uri, true), ...path.split('/'));
        return { uri, label: keyLabel(folders, key) };
      }),
    );
    const found = await Promise.all(
      wanted.slice(0, limits.files).map(async ({ uri, label }): Promise<Found[]> => {
        const text = await this.#textOf(uri);
        return text === undefined ? [] : [{ uri: uri.toString(), label, text, used: true }];
      }),
    );
    return found.flat();
  }

  async #textOf(uri: vscode.Uri): Promise<string | undefined> {
    try {
      const { type, size } = await vscode.workspace.fs.stat(uri);
      if ((type & vscode.FileType.File) === 0 || size > 16 * limits.file) return undefined;
      if (await this.leaves(uri.toString())) return undefined;
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const cut = text.length > limits.file;
      return cut ? `${text.slice(0, limits.file)}\n[The file is cut here.]` : text;
    } catch {
      // Most folders have no such file.
      return undefined;
    }
  }
}

function keyOf(folders: readonly SessionFolder[]): string {
  return JSON.stringify(folders.map(({ uri }) => uri));
}
