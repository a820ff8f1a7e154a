import type { Agent, Translate } from '../engine/ports';
import { summarise } from './summarise';
import { allTools } from './tools/all';
import { untranslated } from './translate';
import { TurnRun } from './turn';
import type { TurnOptions } from './turn';

export interface AgentOptions extends Partial<Omit<TurnOptions, 'tools' | 't'>> {
  /** Translates texts for people. */
  readonly t?: Translate;
}

/** Makes the agent. It keeps nothing between turns: everything it knows comes with the turn. */
export function createAgent(options: AgentOptions = {}): Agent {
  const settings: TurnOptions = {
    maxSteps: 50,
    idleLimitMs: 90_000,
    retryDelaysMs: [1000, 2000, 4000, 8000, 16_000],
    settleMs: 2000,
    practiceDelayMs: 25,
    now: () => Date.now(),
    ...options,
    t: options.t ?? untranslated,
    tools: allTools,
  };
  // The SDK prints advice for developers to the console; here that is the user's log.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return {
    run: (turn) => new TurnRun(turn, settings).run(),
    summarise: (request) => summarise(request, settings),
  };
}
