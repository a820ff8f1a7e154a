import type { ModelMessage, SystemModelMessage } from 'ai';
import type { Mode } from '../core/mode';
import type { ModelConfig } from '../engine/ports';
import type { Metadata } from './partData';

/** What a request says beside its model and tools. */
export interface RequestOptions {
  readonly system?: SystemModelMessage;
  readonly messages: ModelMessage[];
  readonly providerOptions?: Metadata;
  readonly maxOutputTokens?: number;
}

const withoutTools =
  'You have no tools in this conversation: you can neither read nor change files. Work from what you are shown, and say what you would change.';

/** What a model is told of a mode that does not let it do everything. */
const withinMode: Readonly<Record<Mode, string>> = {
  ask: 'The user has set the mode "Ask": you can read files, but neither change them nor run commands. Answer, explain, and show in words what you would change.',
  edit: 'The user has set the mode "Edit": you can read and change files, but you cannot run commands. Where one should be run, say which.',
  agent: '',
};

/** Has Anthropic keep what stands before the mark, so that the next request of the conversation costs a tenth for it. */
const cached: Metadata = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** Puts together what a configuration asks of each request. */
export function requestOptions(
  config: ModelConfig,
  instructions: string,
  messages: ModelMessage[],
  mode: Mode = 'agent',
): RequestOptions {
  const parts = [instructions, config.tools === false ? withoutTools : withinMode[mode]];
  const content = parts.filter((part) => part !== '').join('\n\n');
  const caches = config.provider === 'anthropic';
  const last = messages.at(-1);
  return {
    ...(content !== '' && {
      system: { role: 'system', content, ...(caches && { providerOptions: cached }) },
    }),
    messages:
      caches && last !== undefined
        ? [...messages.slice(0, -1), { ...last, providerOptions: cached }]
        : messages,
    ...effort(config),
    ...(config.maxOutputTokens !== undefined && { maxOutputTokens: config.maxOutputTokens }),
  };
}

function effort({
  provider,
  reasoningEffort,
}: ModelConfig): Pick<RequestOptions, 'providerOptions'> {
  if (reasoningEffort === undefined) return {};
  switch (provider) {
    case 'openai-compatible':
      return { providerOptions: { 'openai-compatible': { reasoningEffort } } };
    case 'anthropic':
      return { providerOptions: { anthropic: { effort: reasoningEffort } } };
    case 'ollama':
    case 'vscode-lm':
    case 'practice':
      return {};
  }
}
