import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { pause } from '../pause';
import type { PlannedCall } from './program';

const dotMs = 500;
/** However long a text is, it takes no longer than this, so that a big file does not take minutes to type. */
const maxTextMs = 1500;
const drawDelays = 5;
const callPieces = 6;

/** Says things word by word, as models do. */
export class Speech {
  /** What was said so far, for the count of tokens. */
  characters = 0;
  private ids = 0;
  private textId: string | undefined;

  constructor(
    readonly emit: (part: LanguageModelV3StreamPart) => void,
    private readonly delayMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** The moment before the first word. */
  draw(): Promise<void> {
    return this.sleep(this.delayMs * drawDelays);
  }

  async say(text: string): Promise<void> {
    this.startText();
    await this.words(text, (delta) => this.text(delta));
  }

  async think(text: string): Promise<void> {
    this.endText();
    const id = this.newId('thought');
    this.emit({ type: 'reasoning-start', id });
    await this.words(text, (delta) => {
      this.characters += delta.length;
      this.emit({ type: 'reasoning-delta', id, delta });
    });
    this.emit({ type: 'reasoning-end', id });
  }

  async wait(seconds: number): Promise<void> {
    this.startText();
    for (let left = seconds * 1000; left > 0; left -= dotMs) {
      this.text('.');
      await this.sleep(Math.min(dotMs, left));
    }
  }

  async call({ name, input }: PlannedCall): Promise<void> {
    this.endText();
    const id = this.newId('practice');
    const json = JSON.stringify(input);
    this.characters += json.length;
    this.emit({ type: 'tool-input-start', id, toolName: name });
    const size = Math.ceil(json.length / callPieces);
    for (let at = 0; at < json.length; at += size) {
      this.emit({ type: 'tool-input-delta', id, delta: json.slice(at, at + size) });
      await this.sleep(this.delayMs / 2);
    }
    this.emit({ type: 'tool-input-end', id });
    this.emit({ type: 'tool-call', toolCallId: id, toolName: name, input: json });
  }

  endText(): void {
    if (this.textId !== undefined) this.emit({ type: 'text-end', id: this.textId });
    this.textId = undefined;
  }

  private startText(): void {
    if (this.textId !== undefined) {
      this.text('\n\n');
      return;
    }
    this.textId = this.newId('text');
    this.emit({ type: 'text-start', id: this.textId });
  }

  private text(delta: string): void {
    this.characters += delta.length;
    if (this.textId !== undefined) this.emit({ type: 'text-delta', id: this.textId, delta });
  }

  private async words(text: string, emit: (delta: string) => void): Promise<void> {
    const words = text.match(/\s*\S+\s*/gu) ?? [text];
    const ms = Math.min(this.delayMs, maxTextMs / words.length);
    for (const word of words) {
      emit(word);
      await this.sleep(ms);
    }
  }

  private async sleep(ms: number): Promise<void> {
    const passed = ms > 0 ? await pause(ms, this.signal) : !this.signal.aborted;
    if (!passed) throw new DOMException('The answer was stopped.', 'AbortError');
  }

  private newId(kind: string): string {
    return `${kind}-${++this.ids}`;
  }
}
