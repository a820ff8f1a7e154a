import { RetraceError } from '../errors';
import {
  imagesOf,
  isBlock,
  partsOf,
  resultsOf,
  textOf,
  type Block,
  type ToolResult,
} from './blocks';
import { badLine, bounds } from './bounds';
import type { ForeignMessage, ForeignSession } from './messageTree';

/*
 * A transcript of Claude Code is JSON Lines. Lines with a `uuid` follow the line their `parentUuid` names; after a compaction
 * that is `logicalParentUuid`. Each block of a reply is a line of its own, results of tools are lines of the user's, and
 * calls made at once are answered beside each other: these are no branches. Lines of `isSidechain` belong to agents the agent
 * called, and lines such as `system` and `attachment` only hold their place between others. Titles are `summary` lines.
 */

interface Line {
  readonly value: Block;
  readonly number: number;
}

/** Says whether a text begins like a transcript: a whole object of a known kind on its first line. */
export function isClaudeTranscript(text: string): boolean {
  const end = text.indexOf('\n');
  const first = parse(end === -1 ? text : text.slice(0, end));
  return first !== undefined && typeof first['type'] === 'string' && !('format' in first);
}

/** Reads a transcript. Throws `invalid` with the line that is wrong. */
export function readClaudeTranscript(text: string): ForeignSession {
  const lines = linesOf(text);
  const results = new Map<string, ToolResult>();
  const byId = new Map<string, Line>();
  let title = '';
  let named = '';
  for (const line of lines) {
    const { value, number } = line;
    if (value['type'] === 'summary') title = string(value['summary']) || title;
    if (value['type'] === 'custom-title') named = string(value['customTitle']) || named;
    const id = value['uuid'];
    if (typeof id !== 'string' || value['isSidechain'] === true) continue;
    const known = byId.get(id);
    // The same line again says nothing new; another one of the same id cannot be.
    if (known !== undefined && JSON.stringify(known.value) !== JSON.stringify(value))
      throw badLine(number);
    if (known !== undefined) continue;
    byId.set(id, line);
    if (value['type'] === 'user')
      for (const [call, result] of resultsOf(contentOf(value))) results.set(call, result);
  }
  const roles = new Map([...byId].map(([id, { value }]) => [id, roleOf(value)]));
  const parents = new Parents(byId, roles);
  const messages = [...byId].flatMap(([id, line]): ForeignMessage[] => {
    const role = roles.get(id);
    if (role === undefined) return [];
    return [{ ...messageOf(line, role, results), id, parentId: parents.of(line) }];
  });
  if (messages.length === 0)
    throw new RetraceError('invalid', 'There is no message in this transcript.');
  const first = messages.find(({ role, text: said }) => role === 'user' && said.trim() !== '');
  return {
    title: named || title || (first?.text.trim().split('\n', 1)[0] ?? ''),
    messages,
    model: 'Claude Code',
  };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let number = 0;
  for (const raw of text.split('\n')) {
    number += 1;
    if (raw.trim() === '') continue;
    const value = parse(raw);
    if (value === undefined) throw new RetraceError('invalid', 'Line {0} is not JSON.', [number]);
    if (lines.length >= bounds.nodes * 5)
      throw new RetraceError('invalid', 'The file is too large.');
    lines.push({ value, number });
  }
  return lines;
}

function parse(line: string): Block | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isBlock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a line is in the conversation; nothing for one that only holds a place between others. */
function roleOf(value: Block): ForeignMessage['role'] | undefined {
  if (value['type'] === 'assistant') return 'reply';
  if (value['type'] !== 'user' || value['isMeta'] === true) return undefined;
  if (value['isCompactSummary'] === true) return 'notice';
  const content = contentOf(value);
  return textOf(content).trim() === '' && imagesOf(content).length === 0 ? undefined : 'user';
}

function messageOf(
  { value, number }: Line,
  role: ForeignMessage['role'],
  results: ReadonlyMap<string, ToolResult>,
): Omit<ForeignMessage, 'id' | 'parentId'> {
  const content = contentOf(value);
  const at = Date.parse(string(value['timestamp']));
  const { message } = value;
  const model = isBlock(message) ? string(message['model']) : '';
  return {
    line: number,
    at,
    role,
    text: role === 'reply' ? '' : textOf(content),
    attachments: role === 'user' ? imagesOf(content) : [],
    parts: role === 'reply' ? partsOf(content, results, at >= 0 ? at : 0) : [],
    ...(model !== '' && { model }),
  };
}

/** Finds the nearest line in front that is part of the conversation; null at the start, and where the line is elsewhere. */
class Parents {
  readonly #known = new Map<string, string | null>();

  constructor(
    private readonly byId: ReadonlyMap<string, Line>,
    private readonly roles: ReadonlyMap<string, ForeignMessage['role'] | undefined>,
  ) {}

  of(line: Line): string | null {
    const passed: string[] = [];
    const seen = new Set<string>();
    let found: string | null | undefined;
    for (let at = line; found === undefined;) {
      const id = at.value['parentUuid'] ?? at.value['logicalParentUuid'];
      const next = typeof id === 'string' ? this.byId.get(id) : undefined;
      if (typeof id !== 'string' || next === undefined) found = null;
      else if (this.roles.get(id) !== undefined) found = id;
      else if (this.#known.has(id)) found = this.#known.get(id) ?? null;
      else if (seen.has(id)) throw badLine(line.number);
      else {
        seen.add(id);
        passed.push(id);
        at = next;
      }
    }
    // Many lines may follow the end of one long row of such lines.
    for (const id of passed) this.#known.set(id, found);
    return found;
  }
}

function contentOf({ message }: Block): unknown {
  return isBlock(message) ? message['content'] : undefined;
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
