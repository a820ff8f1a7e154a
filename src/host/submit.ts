import * as vscode from 'vscode';
import type { SessionId } from '../core/ids';
import type { MoveVerb } from '../core/journal';
import type { Draft } from '../core/node';
import { parseSlash, slashWords, type SlashCommand } from '../core/slash';
import { errorText, RetraceError, toRetraceError } from '../engine/errors';
import type { NumberedPoint, OpenSession } from '../engine/openSession';
import type { Log } from '../engine/ports';
import type { PerformOptions } from '../engine/sheets';
import { forkResult, moveResult } from './commands/results';
import type { Engine } from './engine';
import type { Models } from './models';
import { lastReply, outOfRange, pointAt, somePoints } from './points';
import { hostRuntime } from './runtime';
import { defaultScope, settings } from './settings';
import { helpText } from './slashHelp';
import { moveAndAnswer, send } from './turns';

/** What the input has come to: a sheet is open and says the rest, or it all goes on by itself. */
type Taken = 'sheet' | 'all';
type TakenBy = (by?: Taken) => void;

/** A list of numbers that was shown, and how many moves there had been: the next move ends it. */
interface ShownList {
  readonly points: readonly NumberedPoint[];
  readonly moves: number;
}

export interface SubmitPorts {
  readonly engine: Engine;
  readonly models: Models;
  readonly log: Log;
  /** Brings the chat view up with this session in it. */
  readonly reveal: (session: OpenSession, focus: 'sheet') => Promise<void>;
}

/** Takes what the composer holds: a message, or a slash command that does what the command of its name does. */
export class Submitter {
  readonly #shown = new Map<SessionId, ShownList>();

  constructor(private readonly ports: SubmitPorts) {}

  /**
   * Resolves when the input is taken, not when a turn has ended; what goes wrong later becomes a line of the session.
   * Rejects when nothing was taken.
   */
  readonly submit = (session: OpenSession, draft: Draft): Promise<void> =>
    new Promise((resolve, reject) => {
      let state: 'open' | Taken = 'open';
      const taken = (by: Taken = 'all'): void => {
        state = by;
        resolve();
      };
      this.run(session, draft, taken).then(
        () => taken(),
        (error: unknown) => {
          if (state === 'open') reject(toRetraceError(error, 'storage'));
          // Who answers a sheet is told by that answer.
          else if (state === 'all') this.tell(session, error);
        },
      );
    });

  /** Goes on with older turns summarised. Resolves when that has begun, or failed at once and said why. */
  readonly continueSummarised = (session: OpenSession): Promise<void> =>
    new Promise((resolve) => {
      const stop = session.events.on(() => {
        if (session.running !== undefined) resolve();
      });
      this.ports.engine.retrace
        .continueSummarised(session, vscode.l10n.t('Go on.'))
        .catch((error: unknown) => this.tell(session, error))
        .finally(() => {
          stop();
          resolve();
        });
    });

  /** Does what the input says and resolves to what the command of that kind returns. `taken` is called once it is certain. */
  async run(session: OpenSession, draft: Draft, taken: TakenBy, model?: string): Promise<unknown> {
    const command = parseSlash(draft.text);
    if (command.kind !== 'text') {
      if (draft.attachments.length > 0) throw noAttachments();
      return this.slash(session, command, taken);
    }
    const { engine } = this.ports;
    const stop = session.events.on(() => {
      if (session.running !== undefined) taken();
    });
    try {
      return await send(engine, session, draft, model);
    } finally {
      stop();
    }
  }

  private async slash(
    session: OpenSession,
    command: Exclude<SlashCommand, { kind: 'text' }>,
    taken: TakenBy,
  ): Promise<unknown> {
    const { engine } = this.ports;
    switch (command.kind) {
      case 'rewind':
        return this.rewind(session, command.n, taken);
      case 'fork': {
        const fork = await engine.retrace.fork(session, { turns: command.n });
        await engine.current.set(fork.id);
        return forkResult(fork);
      }
      case 'regen':
        return this.regenerate(session, taken);
      case 'undo':
      case 'redo':
        return this.move(session, command.kind, undefined, taken);
      case 'new': {
        const fresh = await engine.sessions.create();
        await engine.current.set(fresh.id);
        return { sessionId: fresh.id };
      }
      case 'help': {
        const text = helpText();
        session.addLine({ kind: 'text', id: 'help', text });
        return { sessionId: session.id, text };
      }
      case 'bad argument':
        throw this.badArgument(session, command.word);
      case 'unknown':
        throw new RetraceError(
          'invalid',
          vscode.l10n.t(
            'There is no command /{0}. There are: {1}.',
            command.word,
            slashWords.map((word) => `/${word}`).join(', '),
          ),
        );
    }
  }

  private async rewind(
    session: OpenSession,
    n: number | undefined,
    taken: TakenBy,
  ): Promise<unknown> {
    const points = this.ports.engine.retrace.rewindPoints(session);
    if (n === undefined && settings.withoutNumber() === 'list') {
      const numbered = somePoints(points).map(({ messageId }, index) => ({
        n: index + 1,
        messageId,
      }));
      this.#shown.set(session.id, { points: numbered, moves: countMoves(session) });
      session.addLine({ kind: 'points', id: 'points', points: numbered });
      return { sessionId: session.id, points };
    }
    const chosen =
      n === undefined ? pointAt(somePoints(points), 1) : pointAt(this.bound(session) ?? points, n);
    return this.move(session, 'rewind', chosen.messageId, taken);
  }

  /** The numbers of the list shown last, unless a move has come since. */
  private bound(session: OpenSession): readonly NumberedPoint[] | undefined {
    const shown = this.#shown.get(session.id);
    return shown?.moves === countMoves(session) ? shown.points : undefined;
  }

  private async move(
    session: OpenSession,
    verb: MoveVerb,
    messageId: string | undefined,
    taken: TakenBy,
  ): Promise<unknown> {
    const request = {
      verb,
      scope: defaultScope(verb),
      ...(messageId !== undefined && { messageId }),
    };
    const { engine } = this.ports;
    const performed = await engine.sheets.perform(session, request, this.options(session, taken));
    return moveResult(session, performed);
  }

  private regenerate(session: OpenSession, taken: TakenBy): Promise<unknown> {
    const { engine, models } = this.ports;
    const request = {
      verb: 'regenerate' as const,
      messageId: lastReply(session),
      scope: defaultScope('regenerate'),
    };
    const options = { ...this.options(session, taken), onMoved: () => taken() };
    return moveAndAnswer(engine, models, session, request, options);
  }

  private options(session: OpenSession, taken: TakenBy): PerformOptions {
    return {
      confirm: true,
      onConflict: 'ask',
      onAsk: () => {
        taken('sheet');
        void this.ports.reveal(session, 'sheet');
      },
    };
  }

  private badArgument(session: OpenSession, word: string): RetraceError {
    const { length } = this.bound(session) ?? this.ports.engine.retrace.rewindPoints(session);
    if (word === 'rewind') return outOfRange(1, length);
    if (word === 'fork') return outOfRange(0, length);
    return new RetraceError('invalid', vscode.l10n.t('/{0} takes nothing after it.', word));
  }

  /** Says in the session what went wrong with something begun in the composer. */
  tell(session: OpenSession, error: unknown): void {
    const { code } = toRetraceError(error, 'storage');
    if (code === 'cancelled') return;
    this.ports.log.warn('What the composer began did not end well', error);
    session.addLine({
      kind: 'error',
      id: hostRuntime.newId(),
      code,
      text: errorText(error, vscode.l10n.t),
    });
  }
}

function noAttachments(): RetraceError {
  return new RetraceError(
    'invalid',
    vscode.l10n.t('A command takes no attachments. Remove them, or send them with a message.'),
  );
}

function countMoves(session: OpenSession): number {
  return session.state.steps.filter((step) => step.type === 'move').length;
}
