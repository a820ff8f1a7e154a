import { APICallError } from '@ai-sdk/provider';
import { serverText } from './serverText';

/** What a server said of a request that was too long, in its own count of tokens. */
export interface TooLong {
  readonly limit?: number;
  readonly tokens?: number;
}

/**
 * How servers say it: OpenAI and what follows it, OpenRouter, vLLM (two ways), llama.cpp, LM Studio, Anthropic (two
 * ways), Gemini, Ollama, Copilot and VS Code.
 */
const saying = [
  /context[_ -]?(?:length|size|window)[_ ](?:is |was )?exceeded/iu,
  /exceed\w*[^.]{0,40}context[_ -]?(?:length|size|window|limit)/iu,
  /(?:maximum|max) (?:context|model) length/iu,
  /context[_ -]?(?:length|size|window)[^.]{0,20}(?:overflow|too small)|context (?:the )?overflows/iu,
  /greater than the context length/iu,
  /(?:prompt|input|request|conversation|messages?)\b[^.]{0,40}\btoo (?:long|large|many tokens)/iu,
  /token count[^.]{0,40}exceeds/iu,
  /exceeds?(?: the)? (?:token|prompt|input) limit/iu,
  /model_max_prompt_tokens_exceeded|request_too_large/iu,
] as const;

const limits = [
  /(?:context|model) length (?:is|of)(?: only)? (\d+)/iu,
  /> (\d+)(?: maximum)?/u,
  /context size \((\d+)/iu,
  /exceeds the limit of (\d+)/iu,
  /tokens allowed \((\d+)/iu,
  /"n_ctx":\s*(\d+)/u,
] as const;

const counts = [
  /(?:resulted in|requested(?: about)?) (\d+)/iu,
  /too long: (\d+)/iu,
  /\(length (\d+)\)/iu,
  /token count (?:of |\()(\d+)/iu,
  /request \((\d+) tokens/iu,
  /"n_prompt_tokens":\s*(\d+)/u,
] as const;

/** Other reasons, which may speak of tokens too: keys, addresses, limits of time. */
const otherStatus = new Set([401, 403, 404, 408, 429]);

/** Returns what a server said of a request that was too long, or nothing when it failed for another reason. */
export function tooLong(error: unknown): TooLong | undefined {
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  if (status !== undefined && otherStatus.has(status)) return undefined;
  const body = APICallError.isInstance(error) ? (error.responseBody ?? '') : '';
  const text = `${serverText(error) ?? ''}\n${body}`;
  if (status !== 413 && !saying.some((pattern) => pattern.test(text))) return undefined;
  const limit = firstNumber(limits, text);
  const tokens = firstNumber(counts, text);
  return {
    ...(limit !== undefined && { limit }),
    ...(tokens !== undefined && { tokens }),
  };
}

function firstNumber(patterns: readonly RegExp[], text: string): number | undefined {
  const plain = text.replaceAll(/(?<=\d),(?=\d{3}\b)/gu, '');
  for (const pattern of patterns) {
    const found = Number(pattern.exec(plain)?.[1]);
    if (Number.isSafeInteger(found) && found > 0) return found;
  }
  return undefined;
}
