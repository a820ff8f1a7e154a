import * as v from 'valibot';

type Option = v.GenericSchema & { readonly entries: Readonly<Record<string, unknown>> };

/**
 * Returns a schema of values whose member `key` says which of the options they must match. Valibot's own tries one option
 * after the other, each time from anew, which records of a thousand changes feel.
 */
export function variant<const Options extends readonly Option[]>(
  key: string,
  options: Options,
): v.GenericSchema<v.InferInput<Options[number]>, v.InferOutput<Options[number]>> {
  const byName = new Map<unknown, Options[number]>();
  for (const option of options) {
    const named = option.entries[key];
    if (!isLiteral(named)) throw new Error(`An option does not say its ${key}.`);
    byName.set(named.literal, option);
  }
  const none = v.never();
  return v.lazy((input) => byName.get(hasKey(input, key) ? input[key] : undefined) ?? none);
}

function isLiteral(schema: unknown): schema is v.LiteralSchema<string, undefined> {
  return hasKey(schema, 'literal');
}

function hasKey(value: unknown, key: string): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
