import type { Attachment, Part } from '../../core/node';
import { bounds, plainInput } from './bounds';

/** What came of a tool call. */
export interface ToolResult {
  readonly output: string;
  readonly failed: boolean;
}

/** The content of a message of another tool: a text, or blocks by their type. */
export type Block = Readonly<Record<string, unknown>>;

/** Returns the blocks of a content; what is none is left out. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isBlock) : [];
}

/** Says whether a value is an object with fields. */
export function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the texts of a content, one after the other. */
export function textOf(content: unknown): string {
  return blocksOf(content)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n');
}

/** Returns the images that came inside a content. Those that are named by an address are left out. */
export function imagesOf(content: unknown): Attachment[] {
  return blocksOf(content).flatMap(({ type, source }): Attachment[] => {
    if (type !== 'image' || !isBlock(source)) return [];
    const { media_type: mime, data } = source;
    if (typeof mime !== 'string' || typeof data !== 'string') return [];
    if (!/^image\/[\w.+-]{1,60}$/u.test(mime) || !/^[A-Za-z0-9+/]+=*$/u.test(data)) return [];
    if (data.length > bounds.attachment) return [];
    return [{ name: `image.${mime.slice('image/'.length)}`, mime, base64: data }];
  });
}

/** Returns the results of tool calls a content holds, by the call's id. */
export function resultsOf(content: unknown): [string, ToolResult][] {
  return blocksOf(content).flatMap((block): [string, ToolResult][] => {
    if (block['type'] !== 'tool_result') return [];
    const id = block['tool_use_id'] ?? block['id'];
    if (typeof id !== 'string') return [];
    const output = textOf(block['content'] ?? block['output']);
    return [[id, { output, failed: block['is_error'] === true || block['state'] === 'error' }]];
  });
}

/** Returns what a reply's content shows: texts, thoughts, and calls with what came of them. */
export function partsOf(
  content: unknown,
  results: ReadonlyMap<string, ToolResult>,
  at: number,
): Part[] {
  return blocksOf(content).flatMap((block): Part[] => {
    switch (block['type']) {
      case 'text':
        return said('text', block['text']);
      case 'thinking':
        return said('reasoning', block['thinking']);
      case 'tool_use':
      case 'tool_call':
        return call(block, results, at);
      default:
        return [];
    }
  });
}

function said(type: 'text' | 'reasoning', text: unknown): Part[] {
  return typeof text === 'string' && text.trim() !== '' ? [{ type, text }] : [];
}

function call(block: Block, results: ReadonlyMap<string, ToolResult>, at: number): Part[] {
  const { id, name, input } = block;
  if (typeof id !== 'string' || typeof name !== 'string') return [];
  const result = results.get(id);
  const state = result === undefined ? 'interrupted' : result.failed ? 'failed' : 'done';
  return [
    {
      type: 'tool',
      callId: id,
      name,
      input: plainInput(typeof input === 'string' ? parsed(input) : input) ?? null,
      state,
      output: result?.output ?? '',
      startedAt: at,
      endedAt: at,
    },
  ];
}

/** Some tools keep the input as the text the model wrote. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
