import * as v from 'valibot';
import type { ModelConfig } from '../../engine/ports';

/** Where to ask, and with what. */
export interface Server {
  readonly provider: ModelConfig['provider'];
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string | undefined;
}

/** A model as its server describes it. */
export interface ServerModel {
  readonly name: string;
  readonly contextWindow?: number;
  readonly tools?: boolean;
}

/** What a server said when asked for its models. */
export type ModelsAnswer =
  | { readonly kind: 'models'; readonly models: readonly ServerModel[] }
  /** It wants a key, or another one. */
  | { readonly kind: 'key' }
  /** It has no list, or nobody answers there. */
  | { readonly kind: 'none'; readonly reason: string };

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
/** The window goes by a name of its own with each server; the rest is the same everywhere. */
const openAiModels = v.object({
  data: v.array(
    v.looseObject({
      id: v.pipe(v.string(), v.minLength(1)),
      context_length: v.optional(v.fallback(v.nullable(count), null)),
      max_model_len: v.optional(v.fallback(v.nullable(count), null)),
      max_context_length: v.optional(v.fallback(v.nullable(count), null)),
      supported_parameters: v.optional(v.fallback(v.nullable(v.array(v.string())), null)),
    }),
  ),
});
const ollamaModels = v.object({ models: v.array(v.looseObject({ name: v.string() })) });
const ollamaShown = v.object({
  capabilities: v.optional(v.array(v.string())),
  model_info: v.optional(v.record(v.string(), v.unknown())),
});

/** Long lists take a moment; a server that says nothing for so long has none. */
const patienceMs = 15_000;

/** Asks a server which models it has. Sends the key to this server and to no other. */
export async function serverModels(
  server: Server,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<ModelsAnswer> {
  const ollama = server.provider === 'ollama';
  const url = ollama ? `${server.baseUrl}/api/tags` : `${server.baseUrl}/models`;
  try {
    const response = await ask(url, server, fetcher, signal);
    if (response.status === 401 || response.status === 403) return { kind: 'key' };
    if (!response.ok) return { kind: 'none', reason: `${url}: ${response.status}` };
    const body: unknown = await response.json();
    const models = ollama ? readOllama(body) : readOpenAi(body);
    return { kind: 'models', models };
  } catch (error) {
    return { kind: 'none', reason: `${url}: ${reasonOf(error)}` };
  }
}

/** Asks Ollama what it knows of one model; other servers have said it with the list. */
export async function describeModel(
  server: Server,
  model: ServerModel,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<ServerModel> {
  if (server.provider !== 'ollama') return model;
  try {
    const body = JSON.stringify({ model: model.name });
    const response = await ask(`${server.baseUrl}/api/show`, server, fetcher, signal, body);
    const { capabilities, model_info } = v.parse(ollamaShown, await response.json());
    const window = Object.entries(model_info ?? {}).find(([name]) =>
      name.endsWith('.context_length'),
    )?.[1];
    return {
      ...model,
      ...(v.is(count, window) && { contextWindow: Math.min(window, ollamaWindow) }),
      ...(capabilities && { tools: capabilities.includes('tools') }),
    };
  } catch {
    return model;
  }
}

/** Ollama makes room for the whole window at once: more than this fills the memory of common machines. */
const ollamaWindow = 32_768;

function readOpenAi(body: unknown): ServerModel[] {
  return v.parse(openAiModels, body).data.map((model) => {
    const window = model.context_length ?? model.max_model_len ?? model.max_context_length;
    const parameters = model.supported_parameters;
    return {
      name: model.id,
      ...(typeof window === 'number' && { contextWindow: window }),
      ...(parameters && { tools: parameters.includes('tools') }),
    };
  });
}

function readOllama(body: unknown): ServerModel[] {
  return v.parse(ollamaModels, body).models.map(({ name }) => ({ name }));
}

function ask(
  url: string,
  { provider, key }: Server,
  fetcher: typeof fetch,
  signal: AbortSignal,
  body?: string,
): Promise<Response> {
  const withKey: Record<string, string> =
    provider === 'anthropic'
      ? {
          'anthropic-version': '2023-06-01',
          'anthropic-dangerous-direct-browser-access': 'true',
          ...(key !== undefined && { 'x-api-key': key }),
        }
      : key === undefined
        ? {}
        : { authorization: `Bearer ${key}` };
  return fetcher(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...withKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
    // A redirect may lead anywhere; with a key on board it is not followed.
    redirect: key === undefined ? 'follow' : 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
