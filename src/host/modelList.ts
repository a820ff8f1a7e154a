import * as v from 'valibot';
import type { ModelConfig } from '../engine/ports';

/** The model that is always there: no AI, no key, no network. */
export const practice: ModelConfig = {
  id: 'practice',
  label: 'Practice',
  provider: 'practice',
  model: 'practice',
};

const price = v.pipe(v.number(), v.minValue(0));

/** What an entry of the setting may hold. */
export const modelEntry = v.strictObject({
  id: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)),
  name: v.optional(v.string()),
  provider: v.picklist(['openai-compatible', 'anthropic', 'ollama', 'vscode-lm', 'practice']),
  baseUrl: v.optional(v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//iu))),
  model: v.string(),
  contextWindow: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  maxOutputTokens: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  reasoningEffort: v.optional(v.picklist(['low', 'medium', 'high'])),
  tools: v.optional(v.boolean()),
  images: v.optional(v.boolean()),
  price: v.optional(
    v.strictObject({ input: price, output: price, cachedInput: v.optional(price) }),
  ),
});

/** An entry of the setting as written. */
export type ModelEntry = v.InferOutput<typeof modelEntry>;

export interface ModelList {
  readonly models: readonly ModelConfig[];
  /** What was left out, and why; names no value, for one may be a key in the wrong place. */
  readonly problems: readonly string[];
}

/** Reads the setting: Practice first, then every entry that makes sense; the rest is told. */
export function parseModels(setting: unknown): ModelList {
  const models: ModelConfig[] = [practice];
  const problems: string[] = [];
  const entries: readonly unknown[] = Array.isArray(setting) ? setting : [];
  if (!Array.isArray(setting) && setting !== undefined)
    problems.push('retrace.models is not a list');
  for (const [index, raw] of entries.entries()) {
    const parsed = v.safeParse(modelEntry, raw);
    const where = `retrace.models[${index}]`;
    if (!parsed.success) {
      const paths = parsed.issues.map((issue) => v.getDotPath(issue) ?? 'the entry itself');
      problems.push(`${where} is left out: check ${[...new Set(paths)].join(', ')}`);
    } else if (models.some((model) => model.id === parsed.output.id)) {
      problems.push(`${where} is left out: another model has its id`);
    } else {
      models.push(toConfig(parsed.output));
    }
  }
  return { models, problems };
}

/** Returns what an entry says, as the rest of the product takes it. */
export function toConfig(given: ModelEntry): ModelConfig {
  const { id, name, provider, model } = given;
  const { baseUrl, contextWindow, maxOutputTokens, reasoningEffort, tools, price } = given;
  return {
    id,
    provider,
    model,
    ...(name !== undefined && { label: name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    ...(tools !== undefined && { tools }),
    ...(given.images !== undefined && { images: given.images }),
    ...(price !== undefined && {
      price: {
        input: price.input,
        output: price.output,
        ...(price.cachedInput !== undefined && { cachedInput: price.cachedInput }),
      },
    }),
  };
}

/** Where a model's requests go without a base URL of its own. */
const homes: Partial<Record<ModelConfig['provider'], string>> = {
  anthropic: 'https://api.anthropic.com',
  ollama: 'http://localhost:11434',
};

/** Returns the origin a model's key belongs to, or undefined for a model that takes none. */
export function keyOrigin(model: ModelConfig): string | undefined {
  if (model.provider === 'practice' || model.provider === 'vscode-lm') return undefined;
  const address = model.baseUrl ?? homes[model.provider];
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}
