import * as v from 'valibot';
import type * as vscode from 'vscode';
import type { FileKey } from '../../core/fileKey';
import type { NodeId } from '../../core/ids';

const keptKey = 'retrace.keptChanges';
const entry = v.tuple([v.string(), v.string(), v.union([v.literal('all'), v.array(v.number())])]);
const keptSchema = v.fallback(v.array(entry), []);
/** Files remembered in a workspace; the oldest go, for only the last reply's are asked for. */
const keptLimit = 1_000;

/** Which changes of replies somebody has said to keep: by file all of them, or their numbers. */
export class KeptChanges {
  constructor(private readonly memento: vscode.Memento) {}

  of(reply: NodeId, file: FileKey): 'all' | readonly number[] {
    const found = this.entries().find(([node, name]) => node === reply && name === file);
    return found?.[2] ?? [];
  }

  async keep(reply: NodeId, files: ReadonlyMap<FileKey, 'all' | readonly number[]>): Promise<void> {
    const kept = [...files].map(([file, changes]): v.InferOutput<typeof entry> => {
      const known = this.of(reply, file);
      const all = changes === 'all' || known === 'all';
      return [reply, file, all ? 'all' : [...new Set([...known, ...changes])]];
    });
    const others = this.entries().filter(([node, file]) => node !== reply || !files.has(file));
    await this.memento.update(keptKey, [...others, ...kept].slice(-keptLimit));
  }

  private entries(): v.InferOutput<typeof keptSchema> {
    return v.parse(keptSchema, this.memento.get(keptKey));
  }
}
