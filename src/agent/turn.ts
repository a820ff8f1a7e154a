import type { ModelMessage, ToolSet } from 'ai';
import type { Usage } from '../core/node';
import { charactersOf, textTokens } from '../core/estimate';
import { reaches } from '../core/mode';
import { requestNodes } from '../core/requestNodes';
import { addUsage } from '../core/usage';
import type { AgentOutcome, AgentTurn, ModelConfig, Translate } from '../engine/ports';
import { readAttachments } from './attachments';
import { runCalls } from './calls';
import type { AskEditorModel } from './editor/port';
import { costOf } from './cost';
import { explain, lacksTools, quotedServer } from './explain';
import { Fitter } from './fitter';
import { buildMessages } from './history';
import { seesImages, takesImages } from './images';
import { Parts } from './parts';
import { orStopped, pause } from './pause';
import { openModel } from './providers';
import { requestOptions } from './requestOptions';
import { runStep, type StepEnd } from './step';
import { StepParts } from './stepParts';
import { isPassing, retryAfterMs } from './streamErrors';
import { tooLong } from './tooLong';
import { tooLongEnd, type End } from './turnEnd';
import { outsideTools } from './tools/outside';
import { inputSchema, type AgentTool } from './tools/tool';
import { trimmed, type OutputLimits } from './trim';
import { newExchange } from './wire';

export interface TurnOptions {
  readonly t: Translate;
  readonly tools: readonly AgentTool[];
  /** Calls of the model in one turn, where the turn sets no other limit. */
  readonly maxSteps: number;
  /** Without a byte for so long the turn ends. */
  readonly idleLimitMs: number;
  /** The pauses before the tries after the first. */
  readonly retryDelaysMs: readonly number[];
  readonly settleMs: number;
  readonly practiceDelayMs: number;
  readonly now: () => number;
  /** Asks a model the editor offers; missing where there is no editor. */
  readonly editorModel?: AskEditorModel;
  /** Told when a server refused a turn because its model takes no tools. */
  readonly onNoTools?: (turn: AgentTurn) => void;
}

interface Answer {
  readonly end: StepEnd;
  readonly parts: StepParts;
}

/** One turn: the model is asked, its calls are carried out, and so on until it has nothing more to call. */
export class TurnRun {
  private readonly exchange = newExchange();
  private readonly parts: Parts;
  /** All there are, in any mode. */
  private readonly known: readonly AgentTool[];
  private readonly tools: readonly AgentTool[];
  private readonly toolSet: ToolSet;
  private usage: Usage = {};
  private readonly fitter: Fitter;

  constructor(
    private readonly turn: AgentTurn,
    private readonly options: TurnOptions,
  ) {
    this.parts = new Parts(turn.sink);
    this.known = [...options.tools, ...outsideTools(turn, options.tools)];
    this.tools =
      turn.model.tools === false ? [] : this.known.filter((tool) => reaches(turn.mode, tool.needs));
    this.toolSet = Object.fromEntries(
      this.tools.map((tool) => [
        tool.name,
        { description: tool.description, inputSchema: tool.schema },
      ]),
    );
    const { system } = requestOptions(turn.model, turn.instructions, [], turn.mode);
    const fixed = [system?.content ?? '', ...this.tools.map(toolText)].join('');
    this.fitter = new Fitter(turn.model, textTokens(charactersOf(fixed)), turn.refusedTokens);
  }

  async run(): Promise<AgentOutcome> {
    let end: End;
    try {
      end = await this.steps();
    } catch (error) {
      end = { status: 'failed', message: this.explain(error) };
    }
    this.turn.sink.waiting(undefined);
    const { status, message, tooLong: long } = end;
    return {
      status,
      sent: this.exchange.sent || this.parts.count > 0,
      ...(message === undefined
        ? {}
        : {
            error: {
              code: long === undefined ? 'model' : 'too_long',
              message,
              ...(long !== undefined && { tooLong: long }),
            },
          }),
      ...(Object.keys(this.usage).length === 0 ? {} : { usage: this.usage }),
    };
  }

  private stopped(): boolean {
    return this.turn.signal.aborted;
  }

  private explain(error: unknown): string {
    const { model, apiKey } = this.turn;
    return explain(error, model, apiKey, this.options.t);
  }

  private async steps(): Promise<End> {
    const { turn, options } = this;
    const { t } = options;
    if (this.stopped()) return { status: 'interrupted' };
    const model = openModel({
      config: turn.model,
      apiKey: turn.apiKey,
      fetch: turn.fetch,
      exchange: this.exchange,
      practiceDelayMs: options.practiceDelayMs,
      editorModel: options.editorModel,
      t,
    });
    const nodes = requestNodes(turn.history);
    const sees = seesImages(turn.model);
    const attached = await orStopped(
      readAttachments(nodes, turn.attachment, takesImages(turn.model)),
      turn.signal,
    );
    if (attached === undefined) return { status: 'interrupted' };
    const from = modelName(turn.model);
    const most = turn.callLimit ?? options.maxSteps;
    for (let step = 1; ; step++) {
      if (step > 1 && most > 0 && (step - 1) % most === 0) {
        const goesOn = (await turn.goOn?.(step - 1)) ?? false;
        if (this.stopped()) return { status: 'interrupted' };
        if (!goesOn) return { status: 'interrupted', message: this.endedText(step - 1) };
      }
      const before = this.parts.count;
      const asked = await this.askFitting(
        (limits) =>
          buildMessages({
            ...trimmed({ nodes, running: this.parts.all }, limits),
            attached,
            images: this.parts.images,
            imagesInResults: turn.model.provider === 'anthropic',
            model: from,
            tools: this.tools.length > 0,
          }),
        async (messages) => {
          const stepParts = new StepParts(this.parts, from, step, options.now);
          const request = {
            model,
            ...requestOptions(turn.model, turn.instructions, messages, turn.mode),
            tools: this.toolSet,
            signal: turn.signal,
            idleLimitMs: options.idleLimitMs,
            exchange: this.exchange,
          };
          return { end: await runStep(request, stepParts), parts: stepParts };
        },
      );
      if ('status' in asked) return asked;
      const { end, parts } = asked;
      const ended = this.endOf(end, parts, before, step);
      if (ended !== undefined) {
        parts.drop();
        return ended;
      }
      await runCalls(
        { ...options, known: this.known, tools: this.tools, parts: this.parts, turn, sees },
        parts.calls,
      );
      if (this.stopped()) return { status: 'interrupted' };
    }
  }

  private endedText(calls: number): string {
    return this.options.t(
      'The turn was ended after {0} calls of the model. Send a message such as "go on" to continue.',
      calls,
    );
  }

  /** Asks with a request that fits. One that was too long is not sent again: a smaller one, or the turn ends. */
  private async askFitting(
    make: (limits: OutputLimits) => ModelMessage[],
    call: (messages: ModelMessage[]) => Promise<Answer>,
  ): Promise<Answer | End> {
    const before = this.parts.count;
    let said: string | undefined;
    for (;;) {
      const fitted = this.fitter.fit(make);
      if (!fitted.fits)
        return tooLongEnd(this.turn.model, this.fitter, fitted.tokens, said, this.options.t);
      const answer = await this.ask(() => call(fitted.messages));
      const { end } = answer;
      if (end.kind === 'finished') this.fitter.measured(end.usage.inputTokens);
      const told =
        end.kind === 'broken' && this.parts.count === before ? tooLong(end.error) : undefined;
      if (told === undefined || end.kind !== 'broken') return answer;
      said = quotedServer(end.error, this.turn.apiKey);
      this.fitter.refused(told);
    }
  }

  /** Asks until there is an answer, but only so often, and never again once something of the answer has arrived. */
  private async ask(call: () => Promise<Answer>): Promise<Answer> {
    const { turn, options } = this;
    const { retryDelaysMs, t } = options;
    const before = this.parts.count;
    for (let attempt = 0; ; attempt++) {
      const answer = await call();
      const { end } = answer;
      if (end.kind === 'finished') {
        const cost = costOf(end.usage, turn.model.price);
        this.usage = addUsage(this.usage, {
          ...end.usage,
          calls: 1,
          ...(cost !== undefined && { cost }),
        });
      }
      const delay = retryDelaysMs[attempt];
      if (this.parts.count > before || delay === undefined) return answer;
      if (end.kind === 'broken' && tooLong(end.error) !== undefined) return answer;
      const lost = isUnended(end) && this.exchange.cut !== undefined;
      if (!lost && !(end.kind === 'broken' && isPassing(end.error))) return answer;
      const ms = Math.max(
        delay,
        end.kind === 'broken' ? retryAfterMs(end.error, options.now()) : 0,
      );
      const reason =
        lost || end.kind !== 'broken' ? t('The connection was lost.') : this.explain(end.error);
      turn.sink.waiting(
        t(
          '{0} Trying again in {1} s ({2} of {3}).',
          reason,
          Math.ceil(ms / 1000),
          attempt + 1,
          retryDelaysMs.length,
        ),
      );
      const waited = await pause(ms, turn.signal);
      turn.sink.waiting(undefined);
      if (!waited) return { ...answer, end: { kind: 'stopped' } };
    }
  }

  /** How the turn ends with this answer, or nothing when there are calls to carry out. */
  private endOf(end: StepEnd, parts: StepParts, before: number, step: number): End | undefined {
    const { t } = this.options;
    const arrived = this.parts.count > before;
    const broken = arrived ? 'interrupted' : 'failed';
    switch (end.kind) {
      case 'stopped':
        return { status: 'interrupted' };
      case 'silent':
        return {
          status: broken,
          message: t(
            'Nothing came from the model for {0} seconds, so the turn was ended. What had arrived is kept; try again.',
            Math.round(this.options.idleLimitMs / 1000),
          ),
        };
      case 'broken':
        if (lacksTools(end.error)) this.options.onNoTools?.(this.turn);
        return { status: broken, message: this.brokenText(end.error, arrived) };
      case 'finished':
        break;
    }
    if (end.raw === undefined)
      return { status: broken, message: this.brokenText(undefined, arrived) };
    switch (end.reason) {
      case 'length':
        return {
          status: 'interrupted',
          message: t(
            'The answer was cut off: the model reached the longest answer it may give. What arrived is kept.',
          ),
        };
      case 'content-filter':
        return {
          status: broken,
          message: t('The provider stopped the answer because of its content rules.'),
        };
      case 'error':
        return { status: broken, message: this.brokenText(undefined, arrived) };
      case 'stop':
      case 'tool-calls':
        if (parts.calls.length > 0) return undefined;
        break;
      case 'other':
        if (parts.calls.length > 0) {
          return {
            status: 'interrupted',
            message: t(
              'The model stopped in an unknown way ({0}); its last tool calls were not carried out.',
              end.raw,
            ),
          };
        }
        break;
    }
    // After work with tools some models end without a word; that is an end like any other.
    const said = this.parts.all.slice(before).some((part) => part.type === 'text');
    if (said || step > 1) return { status: 'done' };
    return {
      status: 'failed',
      message: arrived
        ? t('The model thought, but gave no answer. Try again, or choose another model.')
        : t('The model gave an empty answer. Try again, or choose another model.'),
    };
  }

  private brokenText(error: unknown, arrived: boolean): string {
    if (error !== undefined && this.exchange.cut === undefined && !isUnfinished(error)) {
      return this.explain(error);
    }
    const { t } = this.options;
    return arrived
      ? t(
          'The answer broke off before it was complete. What had arrived is kept and no unfinished tool call was carried out; try again.',
        )
      : t('The connection ended without an answer. Try again, or choose another model.');
  }
}

/** What a request says of a tool, as far as its size goes. */
function toolText(tool: AgentTool): string {
  return tool.name + tool.description + JSON.stringify(inputSchema(tool));
}

function isUnended(end: StepEnd): boolean {
  return end.kind === 'broken' || (end.kind === 'finished' && end.raw === undefined);
}

/** Some providers report a stream that just stops as an error of their own. */
function isUnfinished(error: unknown): boolean {
  return error instanceof Error && error.message.includes('without a finish reason');
}

function modelName(config: ModelConfig): string {
  return `${config.provider} ${config.baseUrl ?? ''} ${config.model}`;
}
