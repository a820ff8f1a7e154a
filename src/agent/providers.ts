import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelConfig } from '../engine/ports';
import { editorModel } from './editor/model';
import type { AskEditorModel } from './editor/port';
import { ModelProblem } from './failures';
import { ollamaModel } from './ollama/model';
import { practiceModel } from './practice/model';
import type { Translate } from '../engine/ports';
import { watchedFetch } from './wire';
import type { Exchange } from './wire';

const anthropicUrl = 'https://api.anthropic.com/v1';
const ollamaUrl = 'http://localhost:11434';

export interface ModelRequest {
  readonly config: ModelConfig;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly exchange: Exchange;
  readonly practiceDelayMs: number;
  /** Missing where no editor offers models. */
  readonly editorModel: AskEditorModel | undefined;
  readonly t: Translate;
}

/** Opens the model a configuration names, or throws a {@link ModelProblem} that says what is missing. */
export function openModel(request: ModelRequest): LanguageModelV3 {
  const { config, apiKey, exchange, t } = request;
  const hasKey = apiKey !== undefined && apiKey !== '';
  const wire = { fetch: watchedFetch({ fetch: request.fetch, exchange, hasKey, t }) };
  const key = hasKey ? { apiKey } : {};
  if (config.provider !== 'practice' && config.model.trim() === '') {
    throw new ModelProblem(
      t('The model "{0}" has no model name. Add one in the setting retrace.models.', config.id),
    );
  }
  switch (config.provider) {
    case 'practice':
      return practiceModel({
        delayMs: config.model === 'practice-fast' ? 0 : request.practiceDelayMs,
        onCall: () => (exchange.sent = true),
        t,
      });
    case 'openai-compatible':
      return createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: baseUrl(config, t),
        includeUsage: true,
        ...key,
        ...wire,
      }).chatModel(config.model);
    case 'ollama':
      return ollamaModel({
        config,
        // Addresses of its other interfaces are taken too: the models are the same.
        baseUrl: baseUrl({ ...config, baseUrl: config.baseUrl ?? ollamaUrl }, t).replace(
          /\/(?:v1|api)$/u,
          '',
        ),
        apiKey,
        ...wire,
      });
    case 'anthropic':
      // A server of one's own may want no key; Anthropic's does, and would be asked in vain.
      if (!hasKey && config.baseUrl === undefined) {
        throw new ModelProblem(
          t(
            'The model "{0}" needs an API key. Enter it with the command "Retrace: Set API Key".',
            config.id,
          ),
        );
      }
      return createAnthropic({
        baseURL: baseUrl({ ...config, baseUrl: config.baseUrl ?? anthropicUrl }, t),
        apiKey: apiKey ?? '',
        // Without it the service refuses whatever comes from a browser, and so from VS Code for the Web.
        headers: { 'anthropic-dangerous-direct-browser-access': 'true' },
        ...wire,
      })(config.model);
    case 'vscode-lm':
      if (request.editorModel === undefined) {
        throw new ModelProblem(t('This model kind is not available here; choose another model.'));
      }
      return editorModel({
        model: config.model,
        ask: request.editorModel,
        onCall: () => (exchange.sent = true),
      });
  }
}

function baseUrl(config: ModelConfig, t: Translate): string {
  const given = config.baseUrl?.trim() ?? '';
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ModelProblem(
      given === ''
        ? t(
            'The model "{0}" has no base URL. Add one in the setting retrace.models, such as http://localhost:8080/v1.',
            config.id,
          )
        : t(
            'The base URL "{1}" of the model "{0}" is not an http or https address. Change it in the setting retrace.models.',
            config.id,
            given,
          ),
    );
  }
  return given.replace(/\/+$/u, '');
}
