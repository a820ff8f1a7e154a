import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type { Translate } from '../../engine/ports';
import { parseInstructions } from './instructions';
import { program } from './program';
import type { Action, Answer } from './program';
import { Speech } from './speech';

export interface PracticeOptions {
  /** Between words; 0 for no pauses at all, except those asked for with `wait`. */
  readonly delayMs: number;
  readonly onCall: () => void;
  readonly t: Translate;
}

/**
 * A model that is no AI: it follows plain instructions. It works through the same tools as any model and knows only what
 * its request holds.
 */
export function practiceModel(options: PracticeOptions): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'practice',
    modelId: 'practice',
    supportedUrls: {},
    doGenerate: async () => {
      throw new UnsupportedFunctionalityError({ functionality: 'answers that are not streamed' });
    },
    doStream: async (call) => {
      options.onCall();
      return { stream: answerStream(call, options) };
    },
  };
}

function answerStream(
  call: LanguageModelV3CallOptions,
  options: PracticeOptions,
): ReadableStream<LanguageModelV3StreamPart> {
  const gone = new AbortController();
  const signal =
    call.abortSignal === undefined ? gone.signal : AbortSignal.any([call.abortSignal, gone.signal]);
  return new ReadableStream({
    async start(controller) {
      const speech = new Speech((part) => controller.enqueue(part), options.delayMs, signal);
      try {
        await perform(nextActions(call.prompt, options.t), call, speech);
        controller.close();
      } catch (error) {
        // Nobody listens any more once the stream was cancelled.
        if (!gone.signal.aborted) controller.error(error);
      }
    },
    cancel: () => gone.abort(),
  });
}

async function perform(
  actions: readonly Action[],
  call: LanguageModelV3CallOptions,
  speech: Speech,
): Promise<void> {
  speech.emit({ type: 'stream-start', warnings: [] });
  await speech.draw();
  for (const action of actions) {
    switch (action.type) {
      case 'say':
        await speech.say(action.text);
        break;
      case 'think':
        await speech.think(action.text);
        break;
      case 'wait':
        await speech.wait(action.seconds);
        break;
      case 'fail':
        speech.endText();
        speech.emit({ type: 'error', error: new Error(action.message) });
        return;
      case 'calls':
        for (const planned of action.calls) await speech.call(planned);
        break;
    }
  }
  speech.endText();
  const reason = actions.at(-1)?.type === 'calls' ? 'tool-calls' : 'stop';
  speech.emit({
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: usageOf(JSON.stringify(call.prompt).length, speech.characters),
  });
}

function usageOf(input: number, output: number): LanguageModelV3Usage {
  const inputTokens = Math.ceil(input / 4);
  const outputTokens = Math.ceil(output / 4);
  return {
    inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
  };
}

/** What is left to do: the program of the last message, past the calls that have their answers. */
function nextActions(prompt: LanguageModelV3Prompt, t: Translate): readonly Action[] {
  const asked = prompt.findLastIndex((message) => message.role === 'user');
  const answers = answersIn(prompt.slice(asked + 1));
  const run = program(parseInstructions(messageText(prompt[asked])), t);
  let actions: Action[] = [];
  for (let next = run.next(); next.done !== true;) {
    const action = next.value;
    actions.push(action);
    if (action.type !== 'calls') {
      next = run.next([]);
      continue;
    }
    if (answers.length === 0) return actions;
    next = run.next(answers.splice(0, action.calls.length));
    actions = [];
  }
  return actions;
}

/** The message itself: the last text that is no attachment. */
function messageText(message: LanguageModelV3Prompt[number] | undefined): string {
  if (message?.role !== 'user') return '';
  const own = message.content.findLast(
    (part) => part.type === 'text' && part.providerOptions?.['retrace'] === undefined,
  );
  return own?.type === 'text' ? own.text : '';
}

function answersIn(prompt: LanguageModelV3Prompt): Answer[] {
  const answers: Answer[] = [];
  for (const message of prompt) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const { output } = part;
      if (output.type === 'text') answers.push({ ok: true, text: output.value });
      else if (output.type === 'error-text') answers.push({ ok: false, text: output.value });
    }
  }
  return answers;
}
