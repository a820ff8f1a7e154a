import type { TurnError } from '../core/node';
import type { AgentOutcome, ModelConfig, Translate } from '../engine/ports';
import type { Fitter } from './fitter';

/** How a turn ends, and what is said about it. */
export type End = Pick<AgentOutcome, 'status'> & {
  readonly message?: string;
  readonly tooLong?: TurnError['tooLong'];
};

/** The end of a turn whose request does not fit: its sizes, what the server said, and what helps. */
export function tooLongEnd(
  { id, contextWindow }: ModelConfig,
  fitter: Fitter,
  tokens: number,
  said: string | undefined,
  t: Translate,
): End {
  const texts = [
    t(
      'The conversation is too long for the model "{0}": it takes about {1} tokens, {2} of them for instructions and tools.',
      id,
      fitter.counted(tokens),
      fitter.counted(fitter.fixedTokens),
    ),
    ...(contextWindow === undefined
      ? []
      : [t('The window of the model has {0} tokens.', contextWindow)]),
    ...(said === undefined ? [] : [t('The server said: {0}', said)]),
    t(
      'It is not sent again like this. Continue with older turns summarised, rewind to an earlier message, or choose a model with a larger window.',
    ),
  ];
  const window = contextWindow === undefined ? {} : { window: contextWindow };
  return { status: 'failed', message: texts.join(' '), tooLong: { tokens, ...window } };
}
