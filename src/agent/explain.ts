import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import type { ModelConfig } from '../engine/ports';
import { isModelProblem } from './failures';
import { serverText } from './serverText';
import type { Translate } from '../engine/ports';

const maxQuoted = 300;

/** Says what went wrong with a model and what to do about it. The key appears nowhere, whatever the server echoes. */
export function explain(
  error: unknown,
  config: ModelConfig,
  apiKey: string | undefined,
  t: Translate,
): string {
  return hidden(explanation(error, config, t), apiKey);
}

/** Returns what a server said, in short and without the key. */
export function quotedServer(error: unknown, apiKey: string | undefined): string {
  return hidden(quoted(serverText(error) ?? ''), apiKey);
}

function hidden(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '•••');
}

function explanation(error: unknown, config: ModelConfig, t: Translate): string {
  if (isModelProblem(error)) return error.message;
  if (!APICallError.isInstance(error)) {
    return quoted(serverText(error) ?? t('The model failed without saying why. Try again.'));
  }
  const said = saidBy(error);
  const { statusCode } = error;
  const server = originOf(error.url);
  if (statusCode === undefined || statusCode === 0) {
    return t(
      'The server at {0} cannot be reached ({1}). Check that it runs and that the base URL of the model "{2}" is right.',
      error.url,
      quoted(causeText(error)),
      config.id,
    );
  }
  if (statusCode === 401 || statusCode === 403) {
    return (
      t(
        '{0} refused the API key ({1}). Enter a valid one with the command "Retrace: Set API Key".',
        server,
        statusCode,
      ) + said
    );
  }
  if (statusCode === 404) {
    return (
      t(
        '{0} knows no such model or address (404). Check the model name "{1}" and the base URL in the setting retrace.models.',
        error.url,
        config.model,
      ) + said
    );
  }
  if (statusCode === 429) {
    return (
      t(
        '{0} is refusing requests because a limit was reached (429). Wait a while, or choose another model.',
        server,
      ) + said
    );
  }
  if (statusCode >= 500) {
    return (
      t(
        '{0} has a problem of its own ({1}). Try again later, or choose another model.',
        server,
        statusCode,
      ) + said
    );
  }
  if (lacksTools(error)) {
    return (
      t(
        'The model "{0}" cannot use tools, so it cannot work on files. Choose another model and regenerate, or chat without tools: set "tools" to false for it in retrace.models.',
        config.model,
      ) + said
    );
  }
  return t('{0} refused the request ({1}).', server, statusCode) + said;
}

/** Says whether a server refused a request because the model takes no tools. */
export function lacksTools(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  const { statusCode = 0, message } = error;
  return (
    statusCode >= 400 &&
    statusCode < 500 &&
    /(?:not|n't) support[^.]*\btools?\b|\btools?\b[^.]*not support/iu.test(message)
  );
}

function saidBy(error: APICallError): string {
  const text = error.message.trim();
  return text === '' ? '' : ` — ${quoted(text)}`;
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length > maxQuoted ? `${line.slice(0, maxQuoted)}…` : line;
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function causeText(error: Error): string {
  const parsed = z
    .union([z.object({ code: z.string() }), z.object({ cause: z.object({ code: z.string() }) })])
    .safeParse(error.cause);
  if (parsed.success) return 'code' in parsed.data ? parsed.data.code : parsed.data.cause.code;
  return error.cause instanceof Error ? error.cause.message : error.message;
}
