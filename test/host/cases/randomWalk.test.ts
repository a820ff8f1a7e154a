import { assert } from 'chai';
import type { SessionResult } from '../../../src/host/commands/results';
import type { TurnResult } from '../../../src/engine/liveReply';
import { activate, api, codeOf, Folder } from '../kit';
import { closeEditors, openInEditor } from './kit';
import { picker, type Picker } from './picker';

/** The files the walk knows, each with its text; one that is not there has none. */
type Texts = Readonly<Record<string, string | undefined>>;

const names = ['a.txt', 'b.txt', 'c.txt', 'sub/d.txt', 'sub/deep/e f.txt'];

class Walk {
  readonly #pick: Picker;
  /** What lay on disk when a turn had ended, by its reply; null is the start. */
  readonly #known = new Map<string | null, Texts>();
  readonly log: string[] = [];
  #count = 0;
  #nodes = 0;

  constructor(
    private readonly folder: Folder,
    private readonly sessionId: string,
    seed: number,
  ) {
    this.#pick = picker(seed);
  }

  async begin(): Promise<void> {
    this.#known.set(null, await this.#disk());
  }

  async step(): Promise<void> {
    const session = await api.getSession(this.sessionId);
    const actions = [
      () => this.#send(),
      () => this.#send(),
      () => this.#move('rewind', session, 'user'),
      () => this.#move('checkout', session, 'assistant'),
      () => this.#move('switchBranch', session, 'user'),
      () => this.#regenerate(session),
      () => this.#takeBack('undoMove'),
      () => this.#takeBack('redoMove'),
      () => this.#edit(session),
      () => this.#editors(),
    ];
    await actions[this.#pick.below(actions.length)]?.();
    await this.#check();
  }

  async #send(): Promise<void> {
    const text = await this.#instructions();
    this.log.push(`send ${JSON.stringify(text)}`);
    await this.#ended(await api.send(this.sessionId, text));
  }

  async #regenerate(session: SessionResult): Promise<void> {
    const reply = this.#pick.of(session.nodes.filter(({ role }) => role === 'assistant'));
    if (reply === undefined) return;
    this.log.push(`regenerate ${reply.id}`);
    const argument = { sessionId: this.sessionId, messageId: reply.id, confirm: false };
    await this.#ended(await api.call<TurnResult>('regenerate', argument));
  }

  async #edit(session: SessionResult): Promise<void> {
    const message = this.#pick.of(session.nodes.filter(({ role }) => role === 'user'));
    if (message === undefined) return;
    const argument = {
      sessionId: this.sessionId,
      messageId: message.id,
      text: await this.#instructions(),
      confirm: false,
    };
    this.log.push(`editAndResend ${message.id} ${JSON.stringify(argument.text)}`);
    await this.#ended(await api.call<TurnResult>('editAndResend', argument));
  }

  async #move(verb: string, session: SessionResult, role: string): Promise<void> {
    const node = this.#pick.of(session.nodes.filter((each) => each.role === role));
    if (node === undefined) return;
    const scope = this.#pick.of(['both', 'both', 'both', 'chat', 'files']);
    this.log.push(`${verb} ${node.id} ${scope}`);
    const argument = { sessionId: this.sessionId, messageId: node.id, scope, confirm: false };
    const code = await codeOf(api.call(verb, argument));
    assert.include(
      ['no error, but', 'nothing_to_do'],
      code.startsWith('no error') ? 'no error, but' : code,
    );
  }

  async #takeBack(command: string): Promise<void> {
    this.log.push(command);
    const code = await codeOf(api.move(command, { sessionId: this.sessionId }));
    if (!code.startsWith('no error')) assert.equal(code, 'nothing_to_do');
  }

  async #editors(): Promise<void> {
    const there = Object.entries(await this.#disk()).filter(([, text]) => text !== undefined);
    const [name] = this.#pick.of(there) ?? [];
    this.log.push(`editor ${name ?? 'none'}`);
    if (name === undefined || this.#pick.below(3) === 0) await closeEditors();
    else await openInEditor(this.folder, name);
  }

  async #ended(turn: TurnResult): Promise<void> {
    assert.equal(turn.status, 'done');
    assert.isDefined(turn.assistantMessageId);
    const { nodes } = await api.getSession(this.sessionId);
    const reply = nodes.find(({ id }) => id === turn.assistantMessageId);
    assert.notInclude(reply?.text ?? '', 'could not');
    this.#known.set(turn.assistantMessageId ?? null, await this.#disk());
  }

  /** Instructions that fit what lies there; names are quoted for Practice. */
  async #instructions(): Promise<string> {
    const texts: Record<string, string | undefined> = { ...(await this.#disk()) };
    const lines: string[] = [];
    for (let left = 1 + this.#pick.below(3); left > 0; left--) {
      const name = this.#pick.of(names) ?? 'a.txt';
      const file = JSON.stringify(this.folder.path(name));
      const fresh = `${this.#count++}\\n`;
      const free = this.#pick.of(names.filter((other) => texts[other] === undefined));
      if (texts[name] === undefined) {
        lines.push(`create ${file} with ${fresh}`);
        texts[name] = fresh;
      } else {
        const [line, after] = this.#pick.of<[string, string | undefined]>([
          [`write ${file} with ${fresh}`, fresh],
          [`append ${fresh} to ${file}`, `${texts[name]}${fresh}`],
          [`delete ${file}`, undefined],
          ...(free === undefined
            ? []
            : [
                [`rename ${file} to ${JSON.stringify(this.folder.path(free))}`, undefined] as [
                  string,
                  undefined,
                ],
              ]),
        ]) ?? ['help', undefined];
        if (line.startsWith('rename') && free !== undefined) texts[free] = texts[name];
        lines.push(line);
        texts[name] = after;
      }
    }
    return lines.join('\n');
  }

  async #check(): Promise<void> {
    const session = await api.getSession(this.sessionId);
    assert.isAtLeast(session.nodes.length, this.#nodes, 'a message is gone');
    this.#nodes = session.nodes.length;
    assert.deepEqual(session.apart, []);
    assert.deepEqual(await this.#disk(), this.#stateOf(session, session.filesHeadId));
  }

  /** A message has the files of what it follows on disk. */
  #stateOf(session: SessionResult, id: string | null): Texts {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    throw new Error(
      `Nothing is known of ${id}, which is ${JSON.stringify(session.nodes.find((node) => node.id === id))}`,
    );
  }

  async #disk(): Promise<Texts> {
    const pairs = names.map(async (name) => [name, await this.folder.text(name)] as const);
    return Object.fromEntries(await Promise.all(pairs));
  }
}

describe('a random walk through the graph', () => {
  before(activate);
  afterEach(closeEditors);

  for (const seed of [4]) {
    it(`without edits by hand the files are those of the files head after every step (seed ${seed})`, async function () {
      this.timeout(120_000);
      const folder = new Folder('walk');
      await folder.put('a.txt', 'first\n');
      const walk = new Walk(folder, await api.newSession(`walk ${seed}`), seed);
      await walk.begin();
      try {
        for (let left = 30; left > 0; left--) await walk.step();
      } catch (error) {
        throw new Error(`${String(error)}\nafter\n${walk.log.join('\n')}`, { cause: error });
      }
      await closeEditors();
      await folder.remove();
    });
  }
});
