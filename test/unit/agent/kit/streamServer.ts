import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { z } from 'zod';

const address = z.object({ port: z.number() });

/** What the server does with one request, by its number from 0. */
export type Handler = (response: ServerResponse, index: number) => unknown;

export interface StreamServer {
  readonly url: string;
  /** The bodies of the requests, in order. */
  readonly bodies: readonly string[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
  stop(): Promise<void>;
}

/** A server on loopback for what a well-behaved mock cannot do: streams that break, say nothing, or are odd. */
export async function startServer(handle: Handler): Promise<StreamServer> {
  const bodies: string[] = [];
  const headers: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      headers.push(request.headers);
      handle(response, bodies.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = address.parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    headers,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Sends an event stream; with `cut` the connection breaks at its end instead of closing properly. */
export function sendStream(response: ServerResponse, text: string, cut = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text, () => {
    // The bytes must have left before the socket goes.
    if (cut) setTimeout(() => response.destroy(), 5);
    else response.end();
  });
}

function chunk(choice: Readonly<Record<string, unknown>>, more = {}): string {
  const data = { id: 'c', created: 0, model: 'm', choices: [{ index: 0, ...choice }], ...more };
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** Pieces of an OpenAI-compatible stream. */
export const openAi = {
  text: (content: string): string => chunk({ delta: { content } }),
  reasoning: (content: string): string => chunk({ delta: { reasoning_content: content } }),
  callStart: (id: string, name: string, index = 0): string =>
    chunk({
      delta: { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    }),
  callPiece: (piece: string, index = 0): string =>
    chunk({ delta: { tool_calls: [{ index, function: { arguments: piece } }] } }),
  finish: (reason: string): string => chunk({ delta: {}, finish_reason: reason }),
  usage: `data: ${JSON.stringify({
    choices: [],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  })}\n\n`,
  done: 'data: [DONE]\n\n',
  /** A whole answer that makes one call. */
  call: (id: string, name: string, input: unknown): string =>
    openAi.callStart(id, name) +
    openAi.callPiece(JSON.stringify(input)) +
    openAi.finish('tool_calls') +
    openAi.done,
  say: (content: string): string => openAi.text(content) + openAi.finish('stop') + openAi.done,
};

function event(type: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

/** Pieces of an Anthropic stream. */
export const anthropic = {
  start: event('message_start', {
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 5, output_tokens: 1 },
    },
  }),
  callStart: (id: string, name: string, index = 0): string =>
    event('content_block_start', {
      index,
      content_block: { type: 'tool_use', id, name, input: {} },
    }),
  callPiece: (piece: string, index = 0): string =>
    event('content_block_delta', {
      index,
      delta: { type: 'input_json_delta', partial_json: piece },
    }),
  textStart: (index = 0): string =>
    event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
  text: (text: string, index = 0): string =>
    event('content_block_delta', { index, delta: { type: 'text_delta', text } }),
  blockStop: (index = 0): string => event('content_block_stop', { index }),
  finish: (reason: string): string =>
    event('message_delta', {
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 9 },
    }) + event('message_stop', {}),
};

function line(message: Readonly<Record<string, unknown>>, more = {}): string {
  const data = { model: 'm', created_at: '2026-01-01T00:00:00Z', message, done: false, ...more };
  return `${JSON.stringify(data)}\n`;
}

/** Pieces of an Ollama stream. */
export const ollama = {
  text: (content: string): string => line({ role: 'assistant', content }),
  thinking: (thinking: string): string => line({ role: 'assistant', content: '', thinking }),
  call: (name: string, input: unknown): string =>
    line({
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name, arguments: input } }],
    }),
  finish: (reason: string): string =>
    line(
      { role: 'assistant', content: '' },
      { done: true, done_reason: reason, prompt_eval_count: 11, eval_count: 4 },
    ),
};
