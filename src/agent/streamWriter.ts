import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';

type Prose = 'text' | 'reasoning';

/** Writes a model's answer in the SDK's stream form, for the models that are asked without a provider of the SDK. */
export class StreamWriter {
  private open: { readonly type: Prose; readonly id: string } | undefined;
  private blocks = 0;
  private calls = 0;
  /** True once the finish or an error has been written. */
  ended = false;

  constructor(private readonly emit: (part: LanguageModelV3StreamPart) => void) {}

  begin(): void {
    this.emit({ type: 'stream-start', warnings: [] });
  }

  say(text: string): void {
    this.prose('text', text);
  }

  think(text: string): void {
    this.prose('reasoning', text);
  }

  /** Writes a whole call; one that came without an id gets one. */
  call(id: string | undefined, toolName: string, input: string): void {
    this.close();
    this.calls += 1;
    const toolCallId = id === undefined || id === '' ? `call_${this.calls}` : id;
    this.emit({ type: 'tool-input-start', id: toolCallId, toolName });
    this.emit({ type: 'tool-input-delta', id: toolCallId, delta: input });
    this.emit({ type: 'tool-input-end', id: toolCallId });
    this.emit({ type: 'tool-call', toolCallId, toolName, input });
  }

  fail(error: unknown): void {
    this.close();
    this.ended = true;
    this.emit({ type: 'error', error });
  }

  /** Writes the finish; without a reason the answer just stopped. */
  end(
    reason: string | undefined,
    usage: { readonly input?: number | undefined; readonly output?: number | undefined } = {},
  ): void {
    this.close();
    this.ended = true;
    const { input, output } = usage;
    this.emit({
      type: 'finish',
      finishReason: { unified: this.unified(reason), raw: reason },
      usage: {
        inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: output, text: output, reasoning: undefined },
      },
    });
  }

  private unified(reason: string | undefined): 'stop' | 'length' | 'tool-calls' | 'other' {
    if (reason === 'length') return 'length';
    if (reason !== 'stop' && reason !== 'tool-calls') return 'other';
    return this.calls > 0 ? 'tool-calls' : 'stop';
  }

  private prose(type: Prose, text: string): void {
    if (text === '') return;
    if (this.open?.type !== type) {
      this.close();
      this.blocks += 1;
      this.open = { type, id: String(this.blocks) };
      this.emit({ type: `${type}-start`, id: this.open.id });
    }
    this.emit({ type: `${type}-delta`, id: this.open.id, delta: text });
  }

  private close(): void {
    if (this.open === undefined) return;
    this.emit({ type: `${this.open.type}-end`, id: this.open.id });
    this.open = undefined;
  }
}
