import { partNote } from '../tools/read';
import type { Translate } from '../../engine/ports';
import { append, describe, helpText, isCreated, quoted } from './phrases';
import { isChange, isDirect } from './instructions';
import type {
  ChangeInstruction,
  DirectInstruction,
  Instruction,
  PlainInstruction,
} from './instructions';

/** A call Practice makes, as any model would. */
export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What Practice was told about a call. */
export interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

export type Action =
  | { readonly type: 'say' | 'think'; readonly text: string }
  | { readonly type: 'wait'; readonly seconds: number }
  | { readonly type: 'fail'; readonly message: string }
  | { readonly type: 'calls'; readonly calls: readonly PlannedCall[] };

type Program = Generator<Action, void, readonly Answer[]>;

const unanswered: Answer = { ok: false, text: 'There was no result.' };

/**
 * What Practice does for a list of instructions, step by step. The same list and the same answers always give the same
 * steps, so a turn can be taken up at any point by running it again.
 */
export function program(instructions: readonly Instruction[], t: Translate): Program {
  return new Run(instructions, t).all();
}

class Run {
  private readonly done = new Set<string>();
  private failed = 0;

  constructor(
    private readonly instructions: readonly Instruction[],
    private readonly t: Translate,
  ) {}

  *all(): Program {
    const { instructions } = this;
    if (instructions.every(({ verb }) => verb === 'unknown')) {
      yield { type: 'say', text: helpText(this.t) };
      return;
    }
    for (let at = 0; at < instructions.length;) {
      const direct = this.directFrom(at);
      const changes = this.changesFrom(at);
      const next = instructions[at];
      if (direct.length > 0) yield* this.direct(direct);
      else if (changes.length > 0) yield* this.changes(changes);
      else if (next !== undefined && !isDirect(next) && !isChange(next)) yield this.plain(next);
      at += Math.max(1, direct.length + changes.length);
    }
    const summary = this.summary();
    if (summary !== undefined) yield { type: 'say', text: summary };
  }

  private directFrom(at: number): DirectInstruction[] {
    const taken: DirectInstruction[] = [];
    for (const instruction of this.instructions.slice(at)) {
      if (!isDirect(instruction)) break;
      taken.push(instruction);
    }
    return taken;
  }

  /** Takes each file once: a second change to a file needs what the first one left. */
  private changesFrom(at: number): ChangeInstruction[] {
    const taken: ChangeInstruction[] = [];
    const files = new Set<string>();
    for (const instruction of this.instructions.slice(at)) {
      if (!isChange(instruction) || files.has(instruction.file)) break;
      files.add(instruction.file);
      taken.push(instruction);
    }
    return taken;
  }

  private plain(instruction: PlainInstruction): Action {
    const { t } = this;
    switch (instruction.verb) {
      case 'say':
        return { type: 'say', text: instruction.text };
      case 'think':
        return { type: 'think', text: instruction.text };
      case 'wait':
        return { type: 'wait', seconds: instruction.seconds };
      case 'fail':
        return {
          type: 'fail',
          message: instruction.message || t('Practice was told to fail here.'),
        };
      case 'unknown':
        this.failed++;
        return { type: 'say', text: t('I did not understand: {0}', quoted(instruction.line)) };
    }
  }

  private *direct(instructions: readonly DirectInstruction[]): Program {
    const answers = yield { type: 'calls', calls: instructions.map(directCall) };
    for (const [index, instruction] of instructions.entries()) {
      yield* this.note(instruction, answers[index] ?? unanswered);
    }
  }

  private *changes(instructions: readonly ChangeInstruction[]): Program {
    const read = yield {
      type: 'calls',
      calls: instructions.map(({ file }) => ({ name: 'read', input: { path: file } })),
    };
    const planned: { instruction: ChangeInstruction; call: PlannedCall }[] = [];
    for (const [index, instruction] of instructions.entries()) {
      let answer = read[index] ?? unanswered;
      if (instruction.verb === 'append') answer = yield* readOn(instruction.file, answer);
      // Only a whole new text can do without what is there now.
      if (answer.ok || instruction.verb === 'write') {
        planned.push({ instruction, call: changeCall(instruction, answer.text) });
      } else {
        yield* this.note(instruction, answer);
      }
    }
    if (planned.length === 0) return;
    const answers = yield { type: 'calls', calls: planned.map(({ call }) => call) };
    for (const [index, { instruction }] of planned.entries()) {
      yield* this.note(instruction, answers[index] ?? unanswered);
    }
  }

  private *note(instruction: DirectInstruction | ChangeInstruction, answer: Answer): Program {
    if (answer.ok) {
      this.done.add(describe(instruction, isCreated(answer.text), this.t).done);
      return;
    }
    this.failed++;
    const { wanted } = describe(instruction, false, this.t);
    yield { type: 'say', text: this.t('Could not {0}: {1}', wanted, answer.text) };
  }

  private summary(): string | undefined {
    const { done, failed, t } = this;
    const notDone =
      failed === 1
        ? t('1 instruction was not carried out.')
        : t('{0} instructions were not carried out.', failed);
    if (done.size === 0) return failed === 0 ? undefined : notDone;
    const list = t('Done: {0}.', [...done].join(', '));
    return failed === 0 ? list : `${list} ${notDone}`;
  }
}

/** Reads a file that came in parts to its end, for what is appended goes after that. */
function* readOn(file: string, first: Answer): Generator<Action, Answer, readonly Answer[]> {
  let text = '';
  for (let answer = first; ;) {
    const [note, , shownTo, total] = (answer.ok ? partNote.exec(answer.text) : null) ?? [];
    if (note === undefined) return answer.ok ? { ok: true, text: text + answer.text } : answer;
    text += answer.text.slice(0, -note.length);
    if (shownTo === total) return { ok: true, text };
    const startLine = Number(shownTo) + 1;
    const answers = yield {
      type: 'calls',
      calls: [{ name: 'read', input: { path: file, startLine } }],
    };
    answer = answers[0] ?? unanswered;
  }
}

function directCall(instruction: DirectInstruction): PlannedCall {
  switch (instruction.verb) {
    case 'create':
      return { name: 'write', input: { path: instruction.file, text: instruction.text } };
    case 'delete':
    case 'read':
      return { name: instruction.verb, input: { path: instruction.file } };
    case 'rename':
      return { name: 'rename', input: { from: instruction.from, to: instruction.to } };
    case 'list':
      return {
        name: 'list',
        input: instruction.folder === '' ? {} : { path: instruction.folder },
      };
    case 'search':
      return { name: 'search', input: { pattern: instruction.text } };
    case 'run':
      return { name: 'run', input: { command: instruction.command } };
  }
}

function changeCall(instruction: ChangeInstruction, content: string): PlannedCall {
  const { file } = instruction;
  switch (instruction.verb) {
    case 'write':
      return { name: 'write', input: { path: file, text: instruction.text } };
    case 'append': {
      const edit = append(content, instruction.text);
      return edit === undefined
        ? { name: 'write', input: { path: file, text: instruction.text } }
        : { name: 'edit', input: { path: file, ...edit } };
    }
    case 'replace':
      return {
        name: 'edit',
        input: { path: file, old: instruction.old, new: instruction.new, replaceAll: true },
      };
  }
}
