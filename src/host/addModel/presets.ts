import type { ModelConfig } from '../../engine/ports';

/** A kind of server people know by name. */
export interface Preset {
  readonly id: string;
  /** A name of its own; nothing to translate. */
  readonly name: string;
  readonly provider: Extract<ModelConfig['provider'], 'openai-compatible' | 'anthropic' | 'ollama'>;
  readonly baseUrl: string;
  /** Always asked for, or only where the server refuses to answer without one. */
  readonly needsKey: boolean;
  /** Runs on one's own machine or network, so the address is asked for. */
  readonly own: boolean;
}

export const presets: readonly Preset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    provider: 'openai-compatible',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    own: false,
  },
  {
    id: 'anthropic',
    name: 'Anthropic',
    provider: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    needsKey: true,
    own: false,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    provider: 'openai-compatible',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    own: false,
  },
  {
    id: 'ollama',
    name: 'Ollama',
    provider: 'ollama',
    baseUrl: 'http://localhost:11434',
    needsKey: false,
    own: true,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    provider: 'openai-compatible',
    baseUrl: 'http://localhost:1234/v1',
    needsKey: false,
    own: true,
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    provider: 'openai-compatible',
    baseUrl: 'http://localhost:8080/v1',
    needsKey: false,
    own: true,
  },
  {
    id: 'vllm',
    name: 'vLLM',
    provider: 'openai-compatible',
    baseUrl: 'http://localhost:8000/v1',
    needsKey: false,
    own: true,
  },
];

/** Any other server that speaks the protocol of OpenAI. */
export const otherServer: Preset = {
  id: 'other',
  name: '',
  provider: 'openai-compatible',
  baseUrl: 'https://',
  needsKey: false,
  own: true,
};

/** Returns a short id for a model that no other has. */
export function freeId(model: string, taken: ReadonlySet<string>): string {
  const last = model.split('/').at(-1) ?? model;
  const base = last.replaceAll(/[^\w.:-]+/gu, '-').slice(0, 60) || 'model';
  let id = base;
  for (let n = 2; taken.has(id); n++) id = `${base}-${n}`;
  return id;
}
