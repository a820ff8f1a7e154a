/** The arguments of a call, or why they cannot be used, in words for the model. */
export type Arguments =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a call's raw arguments. Nothing is mended: what is not one JSON object with each name once is not executed. A
 * name given twice is refused because a parser would silently take the last.
 */
export function readArguments(raw: string): Arguments {
  if (raw.trim() === '') return { ok: true, input: {} };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return { ok: false, reason: 'The arguments are not valid JSON. Nothing was done.' };
  }
  if (!isRecord(value)) {
    return { ok: false, reason: 'The arguments are not a JSON object. Nothing was done.' };
  }
  const twice = duplicateName(raw);
  if (twice !== undefined) {
    return { ok: false, reason: `The argument "${twice}" was given twice. Nothing was done.` };
  }
  return { ok: true, input: value };
}

/** Says whether a value is an object with names, and no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds a name that the outermost object of valid JSON has twice. */
function duplicateName(json: string): string | undefined {
  const names = new Set<string>();
  let depth = 0;
  let lastString = '';
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/gu)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token !== ':') lastString = token;
    else if (depth === 1) {
      const name = String(JSON.parse(lastString));
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}
