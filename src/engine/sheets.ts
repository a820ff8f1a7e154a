import type { FileKey } from '../core/fileKey';
import type { SessionId } from '../core/ids';
import type { Move } from '../core/journal';
import type { FileChoice } from '../core/plan';
import { Emitter } from './emitter';
import { RetraceError } from './errors';
import type { MovePlan, MoveRequest, Scope } from './movePlan';
import type { OpenSession } from './openSession';
import type { OnConflict, Retrace } from './retrace';

/** The question before a move; nothing is written while it is open. */
export interface OpenSheet {
  readonly session: OpenSession;
  readonly plan: MovePlan;
}

/** What came of a move that was asked for. */
export interface Performed {
  readonly plan: MovePlan;
  readonly move: Move;
}

export interface PerformOptions {
  /** False never opens a sheet; `onConflict` then decides. */
  readonly confirm: boolean;
  readonly onConflict: OnConflict;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number) => void;
  /** Told when the sheet opens, so that the view can be brought up. */
  readonly onAsk?: (plan: MovePlan) => void;
}

interface Waiting extends OpenSheet {
  readonly options: PerformOptions;
  readonly resolve: (performed: Performed) => void;
  readonly reject: (error: unknown) => void;
}

/** Whether moves in which every file goes exactly to a recorded state need no sheet. */
export interface PlainRule {
  allowed(): boolean;
  allow(): Promise<void>;
}

/** Performs moves, with the sheet in between where one is needed. One sheet a session; a new one replaces the old. */
export class Sheets {
  readonly changed = new Emitter<SessionId>();
  readonly #waiting = new Map<SessionId, Waiting>();

  constructor(
    private readonly retrace: Retrace,
    private readonly plain: PlainRule,
  ) {}

  current(sessionId: SessionId): OpenSheet | undefined {
    return this.#waiting.get(sessionId);
  }

  /** Carries a move out and resolves when it has settled. Throws `cancelled` when the sheet was. */
  async perform(
    session: OpenSession,
    request: MoveRequest,
    options: PerformOptions,
  ): Promise<Performed> {
    if (!options.confirm) return this.retrace.move(session, request, options.onConflict);
    const plan = await this.retrace.plan(session, request);
    if (!this.retrace.needsAnswer(plan, this.plain.allowed()))
      return this.applyPlain(session, plan, options);
    return this.ask(session, plan, options);
  }

  private async applyPlain(
    session: OpenSession,
    plan: MovePlan,
    options: PerformOptions,
  ): Promise<Performed> {
    const result = await this.retrace.apply(plan.planId, new Map(), options);
    if (result.kind === 'moved') return { plan, move: result.move };
    return this.ask(session, result.plan, options);
  }

  private ask(session: OpenSession, plan: MovePlan, options: PerformOptions): Promise<Performed> {
    this.cancelSession(session.id);
    return new Promise<Performed>((resolve, reject) => {
      this.show({ session, plan, options, resolve, reject });
      options.onAsk?.(plan);
    });
  }

  /** Plans the open question anew for another scope. */
  async rescope(planId: string, scope: Scope): Promise<void> {
    const waiting = this.find(planId);
    const request = { ...waiting.plan.request, scope };
    const plan = await this.retrace.plan(waiting.session, request);
    if (this.#waiting.get(waiting.session.id) !== waiting) {
      this.retrace.cancel(plan.planId);
      return;
    }
    this.retrace.cancel(planId);
    this.show({ ...waiting, plan });
  }

  /** Goes on with the choices made. Where files changed meanwhile the sheet stays, with the new plan. */
  async answer(
    planId: string,
    choices: ReadonlyMap<FileKey, FileChoice>,
    dontAskAgain: boolean,
  ): Promise<boolean> {
    const waiting = this.find(planId);
    if (dontAskAgain) await this.plain.allow();
    try {
      const result = await this.retrace.apply(planId, choices, waiting.options);
      if (result.kind === 'replanned') {
        this.show({ ...waiting, plan: result.plan });
        return false;
      }
      this.close(waiting);
      waiting.resolve({ plan: waiting.plan, move: result.move });
      return true;
    } catch (error) {
      this.close(waiting);
      waiting.reject(error);
      throw error;
    }
  }

  cancel(planId: string): void {
    const waiting = [...this.#waiting.values()].find((other) => other.plan.planId === planId);
    if (waiting !== undefined) this.cancelSession(waiting.session.id);
  }

  /** Closes a session's question, if one is open; who asked is told `cancelled`. */
  cancelSession(sessionId: SessionId): void {
    const waiting = this.#waiting.get(sessionId);
    if (waiting === undefined) return;
    this.retrace.cancel(waiting.plan.planId);
    this.close(waiting);
    waiting.reject(new RetraceError('cancelled', 'Nothing was changed.'));
  }

  private show(waiting: Waiting): void {
    this.#waiting.set(waiting.session.id, waiting);
    this.changed.fire(waiting.session.id);
  }

  private close(waiting: Waiting): void {
    const { id } = waiting.session;
    if (this.#waiting.get(id)?.plan.planId === waiting.plan.planId) this.#waiting.delete(id);
    this.changed.fire(id);
  }

  private find(planId: string): Waiting {
    const waiting = [...this.#waiting.values()].find((other) => other.plan.planId === planId);
    if (waiting === undefined)
      throw new RetraceError('not_found', 'This question is no longer open.');
    return waiting;
  }
}
