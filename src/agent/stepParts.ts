import type { TextStreamPart, ToolSet } from 'ai';
import type { ToolPart } from '../core/node';
import { toMetadata } from './partData';
import type { Metadata, PartData } from './partData';
import type { Parts } from './parts';

/** A call as it streamed in. */
export interface StreamedCall {
  readonly index: number;
  readonly raw: string;
}

interface OpenCall {
  readonly id: string;
  readonly index: number;
  raw: string;
  metadata: Metadata | undefined;
  complete: boolean;
}

interface OpenProse {
  readonly type: 'text' | 'reasoning';
  /** Undefined until there is something to show or to keep. */
  index: number | undefined;
  text: string;
  metadata: Metadata | undefined;
}

export const incompleteOutput = 'The call arrived incomplete and was not executed.';

/** Beyond this much of its arguments, a call that streams in is not shown growing: it would be sent again and again. */
const shownArguments = 300;

/** Turns the stream of one model call into parts of the turn. */
export class StepParts {
  private readonly prose = new Map<string, OpenProse>();
  private readonly open: OpenCall[] = [];
  private closed = false;

  constructor(
    private readonly parts: Parts,
    private readonly from: string,
    private readonly step: number,
    private readonly now: () => number,
  ) {}

  /** After this nothing that still streams in changes a part. */
  close(): void {
    this.closed = true;
  }

  /** The calls that arrived whole, in the order the model made them. */
  get calls(): readonly StreamedCall[] {
    return this.open.filter((call) => call.complete);
  }

  take(event: TextStreamPart<ToolSet>): void {
    if (this.closed) return;
    switch (event.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        this.say('text', event);
        return;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.say('reasoning', event);
        return;
      case 'tool-input-start':
        this.begin(event.id, event.toolName);
        return;
      case 'tool-input-delta':
        this.grow(event.id, event.delta);
        return;
      case 'tool-call':
        this.finish(event);
        return;
      default:
        return;
    }
  }

  /** Marks calls that will not be carried out, because the stream they came in did not end well. */
  drop(): void {
    for (const call of this.open) {
      const part = this.parts.tool(call.index);
      if (part.state !== 'running') continue;
      this.parts.set(call.index, {
        ...part,
        input: call.raw,
        state: 'interrupted',
        output: incompleteOutput,
        endedAt: this.now(),
      });
    }
  }

  private say(
    type: OpenProse['type'],
    event: { readonly id: string; readonly text?: string; readonly providerMetadata?: unknown },
  ): void {
    const key = `${type} ${event.id}`;
    const open = this.prose.get(key) ?? { type, index: undefined, text: '', metadata: undefined };
    this.prose.set(key, open);
    const metadata = toMetadata(event.providerMetadata);
    open.text += event.text ?? '';
    open.metadata = metadata ?? open.metadata;
    const changed = (event.text ?? '') !== '' || metadata !== undefined;
    if (!changed || (open.text === '' && (type === 'text' || open.metadata === undefined))) return;
    const part = { type, text: open.text, providerData: this.data(open.metadata) };
    if (open.index === undefined) open.index = this.parts.add(part);
    else this.parts.set(open.index, part);
  }

  private begin(id: string, name: string): OpenCall {
    const index = this.parts.add({
      type: 'tool',
      callId: this.unusedId(id),
      name,
      input: '',
      state: 'running',
      output: '',
      startedAt: this.now(),
      providerData: this.data(undefined),
    });
    const call = { id, index, raw: '', metadata: undefined, complete: false };
    this.open.push(call);
    return call;
  }

  /** Some models count their calls anew in every answer; within a turn a call's id names one call. */
  private unusedId(id: string): string {
    const used = new Set(this.parts.all.map((part) => (part.type === 'tool' ? part.callId : '')));
    let unused = id;
    for (let n = 2; used.has(unused); n++) unused = `${id}_${n}`;
    return unused;
  }

  private grow(id: string, delta: string): void {
    const call = this.open.findLast((candidate) => candidate.id === id);
    if (call === undefined) return;
    const before = call.raw.length;
    call.raw += delta;
    if (before < shownArguments) this.update(call, { input: call.raw });
  }

  private finish(event: Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>): void {
    // An id given twice in one answer names the first of its calls that is still open.
    const started = this.open.find(
      (candidate) => candidate.id === event.toolCallId && !candidate.complete,
    );
    const call = started ?? this.begin(event.toolCallId, event.toolName);
    const input: unknown = event.input;
    if (call.raw === '') call.raw = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    call.metadata = toMetadata(event.providerMetadata);
    call.complete = true;
    this.update(call, { input: call.raw, providerData: this.data(call.metadata) });
  }

  private update(call: OpenCall, change: Partial<ToolPart>): void {
    this.parts.set(call.index, { ...this.parts.tool(call.index), ...change });
  }

  private data(metadata: Metadata | undefined): PartData {
    const { from, step } = this;
    return metadata === undefined ? { from, step } : { from, step, metadata };
  }
}
