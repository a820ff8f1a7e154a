import { z } from 'zod';

/** What the strictest servers check before they answer, by wire format; returns why a request is refused. */
export type Refusal = (body: string) => string | undefined;

function reading<S extends z.ZodType>(
  schema: S,
  check: (body: z.output<S>) => string | undefined,
): Refusal {
  return (text) => {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? check(parsed.data) : z.prettifyError(parsed.error);
  };
}

const openAiMessage = z.discriminatedUnion('role', [
  z.object({ role: z.literal('system'), content: z.string().min(1) }),
  z.object({
    role: z.literal('user'),
    content: z.union([z.string().min(1), z.array(z.unknown())]),
  }),
  z.object({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z
      .array(
        z.object({
          id: z.string().regex(/^[\w-]{1,64}$/u),
          type: z.literal('function'),
          function: z.object({ name: z.string().regex(/^[\w-]{1,64}$/u), arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string().min(1) }),
]);

export const openAiRefusal = reading(z.object({ messages: z.array(openAiMessage) }), (body) => {
  let open: string[] = [];
  const used = new Set<string>();
  for (const message of body.messages) {
    if (message.role === 'tool') {
      if (open.shift() !== message.tool_call_id) return 'a result without its call';
      continue;
    }
    if (open.length > 0) return `calls without results: ${open.join(', ')}`;
    if (message.role !== 'assistant') continue;
    const calls = message.tool_calls ?? [];
    if (calls.length === 0 && (message.content ?? '') === '') return 'an empty answer';
    for (const call of calls) {
      if (used.has(call.id)) return `the id ${call.id} was used before`;
      used.add(call.id);
      if (!isObject(JSON.parse(call.function.arguments))) return 'arguments that are no object';
    }
    open = calls.map(({ id }) => id);
  }
  return open.length > 0 ? 'calls without results at the end' : undefined;
});

const block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().regex(/\S/u) }),
  z.object({ type: z.literal('image'), source: z.unknown() }),
  z.object({ type: z.literal('thinking'), signature: z.string().min(1) }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string().regex(/^[\w-]{1,64}$/u),
    name: z.string().min(1),
    input: z.record(z.string(), z.unknown()),
  }),
  z.object({ type: z.literal('tool_result'), tool_use_id: z.string(), content: z.unknown() }),
]);
const anthropicBody = z.object({
  messages: z.array(
    z.object({ role: z.enum(['user', 'assistant']), content: z.array(block).min(1) }),
  ),
});

export const anthropicRefusal = reading(anthropicBody, ({ messages }) => {
  let open: string[] = [];
  const used = new Set<string>();
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return 'roles do not take turns';
    const results = content.flatMap((part) =>
      part.type === 'tool_result' ? [part.tool_use_id] : [],
    );
    if (results.join() !== open.join()) return `results ${results.join()} for ${open.join()}`;
    if (content.slice(0, results.length).some((part) => part.type !== 'tool_result'))
      return 'results come first';
    open = content.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
    for (const id of open) {
      if (used.has(id)) return `the id ${id} was used before`;
      used.add(id);
    }
  }
  return open.length > 0 ? 'calls without results at the end' : undefined;
});

const ollamaBody = z.object({
  messages: z.array(
    z.object({
      role: z.enum(['system', 'user', 'assistant', 'tool']),
      content: z.string(),
      tool_calls: z
        .array(
          z.object({
            function: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
          }),
        )
        .optional(),
      tool_name: z.string().optional(),
    }),
  ),
});

export const ollamaRefusal = reading(ollamaBody, ({ messages }) => {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      if (open.shift() !== message.tool_name) return 'a result without its call';
      continue;
    }
    if (open.length > 0) return `calls without results: ${open.join(', ')}`;
    open = (message.tool_calls ?? []).map((call) => call.function.name);
    if (message.role === 'assistant' && open.length === 0 && message.content === '')
      return 'an empty answer';
  }
  return open.length > 0 ? 'calls without results at the end' : undefined;
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
