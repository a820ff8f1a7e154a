// A window on a folder of its own, and what a person looks at and presses in it.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { openWorkbench, type Workbench, type WorkbenchOptions } from '../kit/workbench.mts';

export interface DeskOptions extends Omit<WorkbenchOptions, 'folder' | 'consoleFile'> {
  /** The folder's files at the start, by name. */
  files: Readonly<Record<string, string>>;
}

export class Desk {
  private constructor(
    readonly workbench: Workbench,
    readonly folder: string,
    private readonly name: string,
  ) {}

  static async open(name: string, { files, ...options }: DeskOptions): Promise<Desk> {
    const folder = await mkdtemp(join(tmpdir(), 'retrace-ui-'));
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const workbench = await openWorkbench({
      size: { width: 1200, height: 800 },
      ...options,
      folder,
      consoleFile: `test-results/ui/${name}.log`,
    });
    const desk = new Desk(workbench, folder, name);
    await desk.workbench.execute('retrace.chat.focus');
    await desk.find('empty').waitFor();
    return desk;
  }

  get chat(): FrameLocator {
    return this.workbench.chat;
  }

  find(id: string): Locator {
    return this.chat.getByTestId(id);
  }

  get composer(): Locator {
    return this.chat.locator('#composer');
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce(
      (before, key) => before.then(() => this.workbench.page.keyboard.press(key)),
      Promise.resolve(),
    );
  }

  async shot(what: string): Promise<void> {
    await this.workbench.page.screenshot({ path: `test-results/ui/${this.name}-${what}.png` });
  }

  /** Reads the whole folder, below what Retrace did not make. */
  async files(): Promise<Record<string, string>> {
    const names = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return Object.fromEntries(
      files
        .map((file, at): [string, string] => [file.slice(this.folder.length + 1), texts[at] ?? ''])
        .sort(),
    );
  }

  async settles(files: Readonly<Record<string, string>>): Promise<void> {
    await expect.poll(() => this.files(), { timeout: 15_000 }).toEqual(files);
  }

  /** Waits until so many replies are shown and none runs. */
  async answered(replies: number): Promise<void> {
    await expect.poll(() => this.find('reply').count(), { timeout: 15_000 }).toBe(replies);
    await this.find('stop').waitFor({ state: 'detached' });
  }

  /** Types a message and sends it. */
  async say(text: string): Promise<void> {
    await this.composer.fill(text);
    await this.find('send').click();
  }

  /** Says where the keyboard is. */
  focused(): Promise<string | null> {
    return this.chat.locator(':focus').first().getAttribute('data-testid');
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
