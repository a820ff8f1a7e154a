import { assert } from 'chai';
import * as vscode from 'vscode';
import type { TurnResult } from '../../../src/engine/liveReply';
import type { SessionResult } from '../../../src/host/commands/results';
import { activate, api, codeOf, Folder } from '../kit';
import { closeEditors, openInEditor, until } from './kit';
import { picker, type Picker } from './picker';

const names = ['a.txt', 'b.txt'];
const marks = ['one', 'two', 'three'];
/** Far enough apart that no merge has to guess. */
const between = Array.from({ length: 6 }, (_, at) => `line ${at}`);

type Values = Readonly<Record<string, readonly number[]>>;

/** The agent changes the first lines of the files, somebody the last ones, on disk or in an editor, saved or not. */
class Walk {
  readonly #pick: Picker;
  /** The agent's values when a turn had ended, by its reply; null is the start. */
  readonly #known = new Map<string | null, Values>();
  readonly #hand = new Map<string, string[]>(names.map((name) => [name, []]));
  readonly log: string[] = [];
  #count = 1;

  constructor(
    private readonly folder: Folder,
    private readonly sessionId: string,
    seed: number,
  ) {
    this.#pick = picker(seed);
  }

  async begin(): Promise<void> {
    const values = Object.fromEntries(names.map((name) => [name, marks.map(() => 0)]));
    this.#known.set(null, values);
    for (const name of names) await this.folder.put(name, this.#textOf(values, name));
  }

  async step(): Promise<void> {
    const session = await api.getSession(this.sessionId);
    const act = this.#pick.of([
      () => this.#send(session),
      () => this.#move('rewind', session, 'user'),
      () => this.#move('checkout', session, 'assistant'),
      () => this.#takeBack('undoMove'),
      () => this.#takeBack('redoMove'),
      () => this.#onDisk(),
      () => this.#inEditor(),
      () => this.#inEditor(),
      () => this.#save(),
      () => this.#close(),
    ]);
    await act?.();
    await this.#check();
  }

  async #send(session: SessionResult): Promise<void> {
    const values = structuredClone(this.#at(session)) as Record<string, number[]>;
    const lines = Array.from({ length: 1 + this.#pick.below(2) }, () => {
      const name = this.#pick.of(names) ?? '';
      const at = this.#pick.below(marks.length);
      const mine = values[name] ?? [];
      const [old, fresh] = [mine[at], this.#count++];
      mine[at] = fresh;
      return `replace "${marks[at]}: ${old}." with "${marks[at]}: ${fresh}." in ${JSON.stringify(this.folder.path(name))}`;
    });
    this.log.push(`send ${lines.join('; ')}`);
    const turn: TurnResult = await api.send(this.sessionId, lines.join('\n'));
    assert.equal(turn.status, 'done');
    this.#known.set(turn.assistantMessageId ?? null, values);
  }

  async #move(verb: string, session: SessionResult, role: string): Promise<void> {
    const node = this.#pick.of(session.nodes.filter((each) => each.role === role));
    if (node === undefined) return;
    this.log.push(`${verb} ${node.text.slice(0, 40)}`);
    const argument = { sessionId: this.sessionId, messageId: node.id };
    await this.#allows(api.move(verb, argument));
  }

  async #takeBack(command: string): Promise<void> {
    this.log.push(command);
    await this.#allows(api.move(command, { sessionId: this.sessionId }));
  }

  async #allows(move: Promise<unknown>): Promise<void> {
    const code = await codeOf(move);
    if (!code.startsWith('no error')) assert.equal(code, 'nothing_to_do');
  }

  async #onDisk(): Promise<void> {
    const name = this.#pick.of(names) ?? '';
    if (this.#document(name)?.isDirty === true) return;
    const text = (await this.folder.text(name)) ?? '';
    const line = `disk ${this.#count++}`;
    this.log.push(`${line} ${name}`);
    this.#hand.get(name)?.push(line);
    await this.folder.put(name, `${text}${line}\n`);
    await until(async () => this.#document(name)?.getText().includes(line) ?? true, 200);
  }

  async #inEditor(): Promise<void> {
    const name = this.#pick.of(names) ?? '';
    const line = `editor ${this.#count++}`;
    this.log.push(`${line} ${name}`);
    const editor = await openInEditor(this.folder, name);
    // What lay under a document without a tab is taken in a moment later, faster than anyone types.
    await until(async () => (await this.#seen(name)) === editor.document.getText(), 200);
    this.#hand.get(name)?.push(line);
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    assert.isTrue(await editor.edit((edit) => edit.insert(end, `${line}\n`)));
  }

  async #save(): Promise<void> {
    const name = this.#pick.of(names) ?? '';
    this.log.push(`save ${name}`);
    await this.#document(name)?.save();
  }

  async #close(): Promise<void> {
    this.log.push('close all, saved');
    for (const name of names) await this.#document(name)?.save();
    await closeEditors();
  }

  async #check(): Promise<void> {
    const session = await api.getSession(this.sessionId);
    assert.deepEqual(session.apart, []);
    for (const name of names) {
      const wanted = this.#textOf(this.#at(session), name);
      await until(async () => (await this.#seen(name)) === wanted, 200).catch(async () => {
        assert.equal(await this.#seen(name), wanted, name);
      });
    }
  }

  /** What is on disk, or unsaved in the editor. */
  async #seen(name: string): Promise<string | undefined> {
    const document = this.#document(name);
    return document?.isDirty === true ? document.getText() : this.folder.text(name);
  }

  #at(session: SessionResult): Values {
    const values = this.#known.get(session.filesHeadId);
    if (values === undefined) throw new Error(`Nothing is known of ${session.filesHeadId}.`);
    return values;
  }

  #textOf(values: Values, name: string): string {
    const head = marks.map((mark, at) => `${mark}: ${values[name]?.[at]}.\n${between.join('\n')}`);
    return `${[...head, ...(this.#hand.get(name) ?? [])].join('\n')}\n`;
  }

  #document(name: string): vscode.TextDocument | undefined {
    const uri = this.folder.uri(name).toString();
    return vscode.workspace.textDocuments.find(
      (document) => document.uri.toString() === uri && !document.isClosed,
    );
  }
}

describe('a random walk with edits by hand', () => {
  before(activate);
  afterEach(closeEditors);

  for (const seed of [3, 6]) {
    it(`every line of the user stays, saved or not, and the agent’s are those of the files head (seed ${seed})`, async function () {
      this.timeout(120_000);
      const folder = new Folder('hands');
      const walk = new Walk(folder, await api.newSession(`hands ${seed}`), seed);
      await walk.begin();
      try {
        for (let left = 40; left > 0; left--) await walk.step();
      } catch (error) {
        throw new Error(`${String(error)}\nafter\n${walk.log.join('\n')}`, { cause: error });
      }
      await closeEditors();
      await folder.remove();
    });
  }
});
