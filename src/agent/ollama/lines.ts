import { z } from 'zod';

/** One line of an answer of `/api/chat`. */
export const ollamaLine = z.looseObject({
  message: z
    .looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z
        .array(
          z.looseObject({
            id: z.string().nullish(),
            function: z.looseObject({ name: z.string(), arguments: z.unknown() }),
          }),
        )
        .nullish(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  error: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
});

export type OllamaLine = z.output<typeof ollamaLine>;

/**
 * Yields the whole lines of a body, blank ones left out. What follows the last line end is a line only where it can be
 * read: it is the beginning of one when the connection broke off.
 */
export async function* bodyLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let open = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      open += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = open.split(/\r?\n/u);
      open = lines.pop() ?? '';
      yield* lines.filter((line) => line.trim() !== '');
      if (done) break;
    }
    if (isJson(open)) yield open;
  } finally {
    // Whoever stops listening lets the connection go.
    void reader.cancel().catch(() => undefined);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
