import { APICallError } from '@ai-sdk/provider';
import { z } from 'zod';
import type { ModelConfig } from '../engine/ports';
import { ModelProblem } from './failures';
import type { Translate } from '../engine/ports';

const maxQuoted = 300;

/** Says what went wrong with a model and what to do about it. The key appears nowhere, whatever the server echoes. */
export function explain(
  error: unknown,
  config: ModelConfig,
  apiKey: string | undefined,
  t: Translate,
): string {
  const text = explanation(error, config, t);
  return apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '•••');
}

function explanation(error: unknown, config: ModelConfig, t: Translate): string {
  if (error instanceof ModelProblem) return error.message;
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
  if (/(?:not|n't) support[^.]*\btools?\b|\btools?\b[^.]*not support/iu.test(error.message)) {
    return (
      t(
        'The model "{0}" cannot use tools, so it cannot work on files. Choose another model.',
        config.model,
      ) + said
    );
  }
  if (
    statusCode === 413 ||
    /context.{0,20}(?:length|window|size)|too (?:long|large|many tokens)/iu.test(error.message)
  ) {
    return (
      t(
        'The conversation is too long for the model "{0}". Rewind to an earlier message, start a new session, or choose a model with a larger window.',
        config.model,
      ) + said
    );
  }
  return t('{0} refused the request ({1}).', server, statusCode) + said;
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

/** Errors inside a stream come as whatever the server wrote there. */
function serverText(error: unknown): string | undefined {
  if (typeof error === 'string' && error.trim() !== '') return error;
  if (error instanceof Error && error.message !== '') return error.message;
  const parsed = z.object({ message: z.string().min(1) }).safeParse(error);
  return parsed.success ? parsed.data.message : undefined;
}
