import type { SessionId } from '../core/ids';
import { Emitter } from './emitter';
import { RetraceError } from './errors';
import type { Runtime } from './ports';

/** What an approval is about; each has a setting of its own. */
export type RuledKind = 'write' | 'delete' | 'command' | 'outside' | 'tools';

/** Whether a turn goes on that is long, or for whose copies there is no room, is asked too, and always. */
export type ApprovalKind = RuledKind | 'continue' | 'storage';

export type ApprovalRule = 'ask' | 'allow' | 'deny';

/** With `asIs` a command runs this once without what is unsaved being saved before it. */
export type ApprovalAnswer = 'once' | 'session' | 'always' | 'asIs' | 'deny';

/** A question that waits for a person. */
export interface PendingApproval {
  readonly approvalId: string;
  readonly sessionId: SessionId;
  readonly kind: ApprovalKind;
  /** What exactly is asked for: a path, a command line; for `continue` the calls of the model so far,
   * for `storage` how full it is. */
  readonly detail: string;
  /** The answers that can be given. */
  readonly answers: readonly ApprovalAnswer[];
  /** What is to be known before answering; no part of what an answer is remembered for. */
  readonly note?: string;
}

/** Rules a person made for good; kept by the extension, never in workspace files. */
export interface ApprovalMemory {
  has(kind: ApprovalKind, detail: string): boolean;
  add(kind: ApprovalKind, detail: string): Promise<void>;
}

/** Asks before what is not allowed outright, and remembers the answers given for longer than once. */
export class Approvals {
  readonly changed = new Emitter<SessionId>();
  readonly #pending = new Map<
    string,
    { question: PendingApproval; settle: (answer: ApprovalAnswer) => void }
  >();
  readonly #session = new Set<string>();
  readonly #waited = new Map<SessionId, number>();

  constructor(
    private readonly runtime: Runtime,
    private readonly memory: ApprovalMemory,
    private readonly rule: (kind: RuledKind) => ApprovalRule,
  ) {}

  /** Resolves to whether the thing may be done; a question still open when the signal fires counts as refused. */
  async ask(
    sessionId: SessionId,
    kind: ApprovalKind,
    detail: string,
    signal: AbortSignal,
    /** Asks whatever the setting says. */
    always = false,
    note?: () => Promise<string>,
  ): Promise<boolean> {
    return (
      (await this.answerTo(sessionId, kind, detail, signal, { always, ...(note && { note }) })) !==
      'deny'
    );
  }

  /** The same, and tells the answer; what needs no question is answered with `once`. */
  async answerTo(
    sessionId: SessionId,
    kind: ApprovalKind,
    detail: string,
    signal: AbortSignal,
    options: {
      readonly always?: boolean;
      readonly note?: () => Promise<string>;
      /** Offers `asIs`. */
      readonly asIs?: boolean;
    },
  ): Promise<ApprovalAnswer> {
    const { always = false, note, asIs = false } = options;
    const rule = kind === 'continue' || kind === 'storage' ? 'ask' : this.rule(kind);
    if (rule === 'deny' || signal.aborted) return 'deny';
    if (rule === 'allow' && !always) return 'once';
    if (this.#session.has(sessionKey(sessionId, kind, detail))) return 'once';
    if (!always && this.memory.has(kind, detail)) return 'once';
    const text = note === undefined ? '' : await note();
    if (isOver(signal)) return 'deny';
    const question: PendingApproval = {
      approvalId: this.runtime.newId(),
      sessionId,
      kind,
      detail,
      answers: answersOf(kind, always, asIs),
      ...(text !== '' && { note: text }),
    };
    const asked = this.runtime.now();
    return new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer): void => {
        this.#waited.set(sessionId, this.waited(sessionId) + this.runtime.now() - asked);
        signal.removeEventListener('abort', refuse);
        this.#pending.delete(question.approvalId);
        this.changed.fire(sessionId);
        resolve(answer);
      };
      const refuse = (): void => settle('deny');
      signal.addEventListener('abort', refuse);
      this.#pending.set(question.approvalId, { question, settle });
      this.changed.fire(sessionId);
    });
  }

  /** Returns how long questions of a session waited for their answers, in milliseconds. */
  waited(sessionId: SessionId): number {
    return this.#waited.get(sessionId) ?? 0;
  }

  pending(sessionId?: SessionId): PendingApproval[] {
    return [...this.#pending.values()]
      .map(({ question }) => question)
      .filter((question) => sessionId === undefined || question.sessionId === sessionId);
  }

  /** Answers a question. Throws `not_found` when it is no longer open. */
  async answer(approvalId: string, answer: ApprovalAnswer): Promise<void> {
    const waiting = this.#pending.get(approvalId);
    if (waiting === undefined)
      throw new RetraceError('not_found', 'This question is no longer open.');
    const { sessionId, kind, detail, answers } = waiting.question;
    if (!answers.includes(answer))
      throw new RetraceError('invalid', 'This question can only be answered with: {0}.', [
        answers.join(', '),
      ]);
    if (answer === 'session') this.#session.add(sessionKey(sessionId, kind, detail));
    if (answer === 'always') await this.memory.add(kind, detail);
    waiting.settle(answer);
  }
}

/** What is asked whatever the setting says is not remembered for good, and whether to go on not at all. */
function answersOf(kind: ApprovalKind, always: boolean, asIs: boolean): readonly ApprovalAnswer[] {
  if (kind === 'continue' || kind === 'storage') return ['once', 'deny'];
  return [
    'once',
    'session',
    ...(always ? [] : (['always'] as const)),
    ...(asIs ? (['asIs'] as const) : []),
    'deny',
  ];
}

/** Asked again after waiting. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}

function sessionKey(sessionId: SessionId, kind: ApprovalKind, detail: string): string {
  return JSON.stringify([sessionId, kind, detail]);
}
