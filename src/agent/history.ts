import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai';
import type { Part, ToolPart, UserNode } from '../core/node';
import type { RequestNode } from '../core/requestNodes';
import { isRecord } from './arguments';
import type { AttachedContents } from './attachments';
import { pictureKey, type Picture } from './images';
import { partData } from './partData';

type AssistantContent = Exclude<AssistantModelMessage['content'], string>;
type AssistantItem = AssistantContent[number];
type UserContent = Exclude<UserModelMessage['content'], string>;
type ToolResults = ToolModelMessage['content'];
type ToolOutput = Extract<ToolResults[number], { type: 'tool-result' }>['output'];

export interface RequestSource {
  /** The nodes of the request, as `requestNodes` gives them. */
  readonly nodes: readonly RequestNode[];
  readonly attached: AttachedContents;
  /** What the turn that is running has so far. */
  readonly running: readonly Part[];
  /** Pictures shown with results of the running turn, by `pictureKey`. */
  readonly images?: ReadonlyMap<string, Picture>;
  /** The provider takes pictures as part of a result; else they follow it as the user's. */
  readonly imagesInResults?: boolean;
  /** Names the model that is asked; only its own signed parts go back to it. */
  readonly model: string;
  /** False where the request offers no tools: calls of earlier turns are then told in words. */
  readonly tools?: boolean;
}

export const interruptedOutput =
  'The call was interrupted. It may have had effects: look before you rely on what it did.';

/**
 * Builds the messages of a request. Stored nodes may hold calls without results, ids used twice or nothing at all; what
 * comes out holds none of it: each call is directly followed by its result, ids are unique, nothing is empty, and users
 * and assistants take turns.
 */
export function buildMessages(source: RequestSource): ModelMessage[] {
  const builder = new Builder(source);
  for (const node of source.nodes) {
    if (node.role === 'assistant') builder.assistant(node.parts, false);
    else if (node.role === 'user') builder.user(userContent(node, source.attached));
    else
      builder.user([{ type: 'text', text: `Summary of the conversation so far:\n\n${node.text}` }]);
  }
  builder.assistant(source.running, true);
  return builder.messages;
}

/** Marks what came with a message, so that a reader of the request can tell it from the message itself. */
const attachmentMark = { retrace: { attachment: true } };

function userContent(node: UserNode, attached: AttachedContents): UserContent {
  const content: UserContent = [];
  for (const attachment of node.attachments) {
    const item = attached.get(attachment);
    if (item === undefined) continue;
    content.push(
      item.kind === 'text'
        ? { type: 'text', text: item.text, providerOptions: attachmentMark }
        : {
            type: 'image',
            image: item.base64,
            mediaType: item.mime,
            providerOptions: attachmentMark,
          },
    );
  }
  if (node.text.trim() !== '') content.push({ type: 'text', text: node.text });
  else if (content.length === 0) content.push({ type: 'text', text: '(empty message)' });
  return content;
}

class Builder {
  readonly messages: ModelMessage[] = [];
  private readonly usedIds = new Set<string>();
  /** Results of calls, where they go as words of the user. */
  private readonly told: UserContent = [];

  constructor(private readonly source: RequestSource) {}

  user(content: UserContent): void {
    const last = this.messages.at(-1);
    if (last?.role === 'user' && typeof last.content !== 'string') last.content.push(...content);
    else this.messages.push({ role: 'user', content });
  }

  assistant(parts: readonly Part[], running: boolean): void {
    for (const step of steps(parts)) this.step(step, running);
  }

  private step(parts: readonly Part[], running: boolean): void {
    const content: AssistantContent = [];
    const results: ToolResults = [];
    for (const part of parts) {
      if (part.type === 'tool') this.call(part, content, results);
      else content.push(...this.said(part, running));
    }
    if (content.every((item) => item.type === 'reasoning' && item.providerOptions === undefined)) {
      return;
    }
    if (this.messages.length === 0) {
      this.user([{ type: 'text', text: '(Earlier messages are not part of this request.)' }]);
    }
    const last = this.messages.at(-1);
    if (last?.role === 'assistant' && typeof last.content !== 'string') {
      last.content.push(...content);
    } else {
      this.messages.push({ role: 'assistant', content });
    }
    if (results.length > 0) this.messages.push({ role: 'tool', content: results });
    if (this.told.length > 0) this.user(this.told.splice(0));
  }

  private said(part: Exclude<Part, ToolPart>, running: boolean): AssistantItem[] {
    if (part.type === 'todo') return [];
    const options = this.metadataOf(part);
    if (part.type === 'text') {
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...options }];
    }
    // Thoughts go back only where the provider signed them, or to the model that is still in the middle of its turn.
    const own = partData(part.providerData)?.from === this.source.model;
    const wanted = own && (options.providerOptions !== undefined || (running && part.text !== ''));
    return wanted ? [{ type: 'reasoning', text: part.text, ...options }] : [];
  }

  private call(part: ToolPart, content: AssistantContent, results: ToolResults): void {
    const complete = isRecord(part.input);
    const cut = part.state === 'running' || part.state === 'interrupted';
    // A call whose arguments never arrived whole was never made: the model need not hear of it.
    if (cut && !complete) return;
    const toolCallId = this.uniqueId(part.callId);
    const toolName = part.name.replaceAll(/[^\w-]/gu, '_').slice(0, 64) || 'unknown';
    if (this.source.tools === false) {
      const input = complete ? JSON.stringify(part.input) : '';
      content.push({ type: 'text', text: `(The tool ${toolName} was called. ${input})` });
      this.told.push({ type: 'text', text: `Result of ${toolName}:\n${outputOf(part)}` });
      return;
    }
    content.push({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: complete ? part.input : {},
      ...this.metadataOf(part),
    });
    results.push({ type: 'tool-result', toolCallId, toolName, output: this.result(part) });
  }

  private result(part: ToolPart): ToolOutput {
    const value = outputOf(part);
    if (part.state !== 'done') return { type: 'error-text', value };
    const picture = this.source.images?.get(pictureKey(part));
    if (picture === undefined) return { type: 'text', value };
    const { base64, mime } = picture;
    if (this.source.imagesInResults === true) {
      const image = { type: 'image-data' as const, data: base64, mediaType: mime };
      const text = { type: 'text' as const, text: value };
      return { type: 'content', value: [text, image] };
    }
    this.told.push(
      { type: 'text', text: 'The image that was read:', providerOptions: attachmentMark },
      { type: 'image', image: base64, mediaType: mime, providerOptions: attachmentMark },
    );
    return { type: 'text', value };
  }

  private uniqueId(id: string): string {
    const base = id.replaceAll(/[^\w-]/gu, '_').slice(0, 64) || 'call';
    let unique = base;
    for (let n = 2; this.usedIds.has(unique); n++) unique = `${base.slice(0, 56)}_${n}`;
    this.usedIds.add(unique);
    return unique;
  }

  private metadataOf(part: Exclude<Part, { type: 'todo' }>) {
    const data = partData(part.providerData);
    return data?.metadata !== undefined && data.from === this.source.model
      ? { providerOptions: data.metadata }
      : {};
  }
}

/** Cuts a reply into model calls: by what was kept with its parts, else where something is said after a tool's result. */
function steps(parts: readonly Part[]): Part[][] {
  const cut: Part[][] = [];
  let lastStep: number | undefined;
  for (const part of parts) {
    // What the list says was said by the call that wrote it; it must not part the calls around it.
    if (part.type === 'todo') continue;
    const open = cut.at(-1);
    const step = partData(part.providerData)?.step;
    const startsNext =
      step !== undefined && lastStep !== undefined
        ? step !== lastStep
        : part.type !== 'tool' && open?.at(-1)?.type === 'tool';
    if (open === undefined || startsNext) cut.push([part]);
    else open.push(part);
    lastStep = step ?? lastStep;
  }
  return cut;
}

function outputOf(part: ToolPart): string {
  if (part.output.trim() !== '') return part.output;
  switch (part.state) {
    case 'running':
    case 'interrupted':
      return interruptedOutput;
    case 'denied':
      return 'The call was refused.';
    case 'failed':
      return 'The call failed.';
    case 'done':
      return '(no output)';
  }
}
