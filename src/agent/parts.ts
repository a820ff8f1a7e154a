import type { Part, TodoPart, ToolPart } from '../core/node';
import type { Picture } from './images';
import type { TurnSink } from '../engine/ports';

/** The parts of the running turn, told to the sink whenever one changes. */
export class Parts {
  private readonly parts: Part[] = [];

  /** Pictures shown with results of this turn, by {@link pictureKey}. They are in no node: a later turn reads them again. */
  readonly images = new Map<string, Picture>();

  constructor(private readonly sink: TurnSink) {}

  get all(): readonly Part[] {
    return this.parts;
  }

  get count(): number {
    return this.parts.length;
  }

  /** Appends a part and returns its index. */
  add(part: Part): number {
    const index = this.parts.length;
    this.set(index, part);
    return index;
  }

  set(index: number, part: Part): void {
    this.parts[index] = part;
    this.sink.setPart(index, part);
  }

  /** Shows the to-do list; within a turn there is one, which changes where it stands. */
  showTodo(items: TodoPart['items']): void {
    const at = this.parts.findIndex((part) => part.type === 'todo');
    this.set(at === -1 ? this.count : at, { type: 'todo', items });
  }

  tool(index: number): ToolPart {
    const part = this.parts[index];
    if (part?.type !== 'tool') throw new Error(`Part ${index} is not a tool call.`);
    return part;
  }
}
