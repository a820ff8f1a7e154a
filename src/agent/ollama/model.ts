import { APICallError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { ModelConfig } from '../../engine/ports';
import { StreamWriter } from '../streamWriter';
import { bodyLines, ollamaLine } from './lines';
import type { OllamaLine } from './lines';
import { ollamaMessages, ollamaTools } from './messages';

export interface OllamaOptions {
  readonly config: ModelConfig;
  /** Address of the server, without a path. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
}

/**
 * Ollama by its own `/api/chat`: only there can the context length be set, without which the server silently drops the
 * beginning of what it is sent.
 */
export function ollamaModel(options: OllamaOptions): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'ollama',
    modelId: options.config.model,
    supportedUrls: {},
    doGenerate: async () => {
      throw new UnsupportedFunctionalityError({ functionality: 'answers that are not streamed' });
    },
    doStream: async (call) => {
      const body = await ask(options, call);
      return { stream: toStream(body) };
    },
  };
}

async function ask(
  { config, baseUrl, apiKey, fetch }: OllamaOptions,
  call: LanguageModelV3CallOptions,
): Promise<ReadableStream<Uint8Array>> {
  const url = `${baseUrl}/api/chat`;
  const request = {
    model: config.model,
    messages: ollamaMessages(call.prompt),
    ...ollamaTools(call.tools),
    stream: true,
    ...(config.reasoningEffort !== undefined && { think: config.reasoningEffort }),
    options: {
      ...(config.contextWindow !== undefined && { num_ctx: config.contextWindow }),
      ...(call.maxOutputTokens !== undefined && { num_predict: call.maxOutputTokens }),
    },
  };
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(request),
      ...(call.abortSignal && { signal: call.abortSignal }),
    });
  } catch (error) {
    // Fetch tells that nothing could be reached by a TypeError; anything else says for itself what it is.
    if (!(error instanceof TypeError)) throw error;
    throw new APICallError({
      message: error.message,
      url,
      requestBodyValues: request,
      cause: error.cause ?? error,
      isRetryable: true,
    });
  }
  if (response.ok && response.body !== null) return response.body;
  const text = await response.text();
  throw new APICallError({
    message: errorText(text) ?? response.statusText,
    url,
    requestBodyValues: request,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody: text,
  });
}

/** Servers in front of Ollama wrap the text once more. */
const errorBody = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]),
});

function errorText(body: string): string | undefined {
  try {
    const { error } = errorBody.parse(JSON.parse(body));
    return typeof error === 'string' ? error : error.message;
  } catch {
    return body.trim() === '' ? undefined : body;
  }
}

function toStream(body: ReadableStream<Uint8Array>): ReadableStream<LanguageModelV3StreamPart> {
  const lines = bodyLines(body);
  return new ReadableStream({
    async start(controller) {
      const writer = new StreamWriter((part) => controller.enqueue(part));
      writer.begin();
      try {
        for await (const line of lines) {
          const read = ollamaLine.parse(JSON.parse(line));
          if (read.error !== undefined) {
            writer.fail(new Error(read.error));
            break;
          }
          if (takeLine(read, writer)) break;
        }
        if (!writer.ended) writer.end(undefined);
      } catch (error) {
        // As a part of the stream: to end it by an error would throw away what nobody has read yet.
        writer.fail(error);
      }
      controller.close();
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}

/** Writes what a line says, and returns whether it was the last one. */
function takeLine(line: OllamaLine, writer: StreamWriter): boolean {
  const { message } = line;
  writer.think(message?.thinking ?? '');
  writer.say(message?.content ?? '');
  for (const { id, function: called } of message?.tool_calls ?? []) {
    const { arguments: input } = called;
    writer.call(
      id ?? undefined,
      called.name,
      typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    );
  }
  if (line.done !== true) return false;
  writer.end(line.done_reason ?? 'stop', {
    input: line.prompt_eval_count,
    output: line.eval_count,
  });
  return true;
}
