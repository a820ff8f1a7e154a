import { describe, expect, it } from 'vitest';
import { edit } from '../../../src/agent/tools/edit';
import { problems } from '../../../src/agent/tools/problems';
import { MemoryWorkspace } from './kit/workspace';

function workspaceWith(lines: readonly string[]) {
  const workspace = new MemoryWorkspace({ 'a.ts': 'let a = 1;\n' });
  const asked: unknown[] = [];
  return {
    asked,
    workspace: Object.assign(workspace, {
      problems: async (file: { label: string } | undefined, which: string) => {
        asked.push([file?.label, which]);
        return lines;
      },
    }),
  };
}

describe('problems the editor reports', () => {
  it('errors follow the answer of an edit, bounded', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `a.ts:${index + 1} error: e${index}`);
    const { workspace, asked } = workspaceWith(lines);
    await workspace.read(await workspace.resolve('a.ts'));
    const answer = await edit.call({ path: 'a.ts', old: '1', new: 'b' }, workspace);
    expect(answer).toContain('Changed a.ts at line 1.\nThe editor now reports these errors in it:');
    expect(answer).toContain('a.ts:10 error: e9');
    expect(answer).not.toContain('e10');
    expect(answer).toContain('[2 more are not shown.]');
    expect(asked).toEqual([['a.ts', 'errors']]);
  });

  it('an edit without errors says nothing of them', async () => {
    const { workspace } = workspaceWith([]);
    await workspace.read(await workspace.resolve('a.ts'));
    expect(await edit.call({ path: 'a.ts', old: '1', new: '2' }, workspace)).toBe(
      'Changed a.ts at line 1.',
    );
  });

  it('are told on demand, of a file or of all', async () => {
    const { workspace, asked } = workspaceWith(['a.ts:1 warning: w']);
    expect(await problems.call({}, workspace)).toBe('a.ts:1 warning: w');
    await problems.call({ path: 'a.ts' }, workspace);
    expect(asked).toEqual([
      [undefined, 'all'],
      ['a.ts', 'all'],
    ]);
    expect(await problems.call({}, workspaceWith([]).workspace)).toContain('no problems');
  });
});
