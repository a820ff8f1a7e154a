import { describe, expect, test } from 'vitest';
import { absent, type ChangedBy, type FileState, type Link } from '../../../src/core/changes';
import type { ToolPart } from '../../../src/core/node';
import { untranslated as t } from '../../../src/agent/translate';
import { presentPart, shownCharacters, toolSummary } from '../../../src/host/chat/presentParts';
import { foldTurn } from '../../../src/core/turnFiles';
import { keyLabel } from '../../../src/core/fileKey';
import { excerpt } from '../../../src/host/chat/words';

const state = (hash: string): FileState => ({ kind: 'file', hash, size: 1 });
const change = (
  file: string,
  before: FileState,
  after: FileState,
  by: ChangedBy = 'agent',
): Link => ({ type: 'change', file, before, after, by });
const rename = (from: string, to: string, hash: string): Link => ({
  type: 'rename',
  from,
  to,
  state: state(hash),
  by: 'agent',
});
const [A, B, C] = [state('a'), state('b'), state('c')];

describe('what a turn did to files', () => {
  test('several changes of a file are one, from before the first to after the last', () => {
    expect(foldTurn([change('f', A, B), change('f', B, C)])).toEqual([
      { file: 'f', before: A, after: C, byHand: false },
    ]);
  });

  test('what came to nothing is left out', () => {
    expect(foldTurn([change('f', A, B), change('f', B, A)])).toEqual([]);
    expect(foldTurn([change('f', absent, B), change('f', B, absent)])).toEqual([]);
    expect(foldTurn([rename('f', 'g', 'a'), rename('g', 'f', 'a')])).toEqual([]);
  });

  test('a change of the mode alone is a change', () => {
    const after: FileState = { kind: 'file', hash: 'a', size: 1, mode: 0o755 };
    expect(foldTurn([change('f', A, after)])).toHaveLength(1);
  });

  test('an edit by hand in front of the agent is named', () => {
    expect(foldTurn([change('f', A, B, 'hand'), change('f', B, C)])).toEqual([
      { file: 'f', before: A, after: C, byHand: true },
    ]);
  });

  test('a rename keeps the first name through further ones and edits', () => {
    const links = [rename('f', 'g', 'a'), change('g', A, B), rename('g', 'h', 'b')];
    expect(foldTurn(links)).toEqual([{ file: 'h', from: 'f', before: A, after: B, byHand: false }]);
  });

  test('a file made and renamed was made under its last name; one renamed and deleted was lost under its first', () => {
    expect(foldTurn([change('f', absent, A), rename('f', 'g', 'a')])).toEqual([
      { file: 'g', before: absent, after: A, byHand: false },
    ]);
    expect(foldTurn([rename('f', 'g', 'a'), change('g', A, absent)])).toEqual([
      { file: 'f', before: A, after: absent, byHand: false },
    ]);
  });

  test('a rename onto a name that was freed in the turn is a change there and a loss here', () => {
    expect(foldTurn([change('g', B, absent), rename('f', 'g', 'a')])).toEqual([
      { file: 'g', before: B, after: A, byHand: false },
      { file: 'f', before: A, after: absent, byHand: false },
    ]);
  });

  test('two files that swapped their names are two renames', () => {
    const links = [rename('f', 'x', 'a'), rename('g', 'f', 'b'), rename('x', 'g', 'a')];
    expect(foldTurn(links)).toEqual([
      { file: 'f', from: 'g', before: B, after: B, byHand: false },
      { file: 'g', from: 'f', before: A, after: A, byHand: false },
    ]);
  });

  test('folders are not listed', () => {
    expect(foldTurn([{ type: 'folder', folder: 'd', made: true, by: 'agent' }])).toEqual([]);
  });
});

function tool(name: string, input: unknown, more: Partial<ToolPart> = {}): ToolPart {
  return {
    type: 'tool',
    callId: 'c',
    name,
    input,
    state: 'done',
    output: '',
    startedAt: 0,
    ...more,
  };
}

describe('the parts of a reply', () => {
  test('a call says what it did, does, or was to do', () => {
    expect(toolSummary(tool('read', { path: 'src/server.ts' }), t)).toBe('read src/server.ts');
    expect(toolSummary(tool('edit', { path: 'a.ts' }, { state: 'running' }), t)).toBe(
      'editing a.ts …',
    );
    expect(toolSummary(tool('edit', { path: 'a.ts' }, { state: 'failed' }), t)).toBe('edit a.ts');
    expect(toolSummary(tool('rename', { from: 'a', to: 'b' }), t)).toBe('renamed a to b');
    expect(toolSummary(tool('list', {}), t)).toBe('listed the workspace');
    expect(toolSummary(tool('search', { pattern: 'x  y' }), t)).toBe('searched for “x y”');
    expect(toolSummary(tool('mystery', { path: 1 }), t)).toBe('mystery');
  });

  test('arguments that are still arriving are read as far as they go', () => {
    const running = { state: 'running' } as const;
    expect(toolSummary(tool('write', '', running), t)).toBe('writing …');
    expect(toolSummary(tool('write', '{"path":"a \\"q\\".md","content":"x', running), t)).toBe(
      'writing a "q".md …',
    );
    expect(toolSummary(tool('write', '{"path":"src/a', running), t)).toBe('writing …');
    expect(toolSummary(tool('write', null, running), t)).toBe('writing …');
  });

  test('how long a call took leaves out what it waited for leave', () => {
    const took = (more: Partial<ToolPart>): unknown => presentPart(tool('run', {}, more), t);
    expect(took({ endedAt: 3_000 })).toMatchObject({ took: 3_000 });
    expect(took({ endedAt: 9_000, waited: 7_000 })).toMatchObject({ took: 2_000 });
    expect(took({ endedAt: 9_000, waited: 8_500 })).not.toHaveProperty('took');
  });

  test('what goes in and comes out is bounded and says so', () => {
    const view = presentPart(tool('read', {}, { output: 'x'.repeat(shownCharacters + 7) }), t);
    if (view.type !== 'tool') throw new Error('no tool');
    expect(view.output).toHaveLength(
      shownCharacters + '\n[7 more characters are not shown.]'.length,
    );
    expect(view.output).toContain('[7 more characters are not shown.]');
    expect(view.input).toBe('{}');
  });

  test('time is told from a second on', () => {
    expect(presentPart(tool('read', {}, { endedAt: 999 }), t)).not.toHaveProperty('took');
    expect(presentPart(tool('read', {}, { endedAt: 3_100 }), t)).toMatchObject({ took: 3_100 });
  });
});

describe('names', () => {
  test('an excerpt is one line, cut at a word, never inside a character', () => {
    expect(excerpt(' a\n b ')).toBe('a b');
    expect(excerpt('Make the limit configurable per route, default 60 per minute.')).toBe(
      'Make the limit configurable per route, default…',
    );
    expect(excerpt('😀'.repeat(30), 5)).toBe('😀😀…');
  });

  test('a file outside every folder is named by its path, a percent sign too', () => {
    const folders = [{ id: 'f0', uri: 'file:///w', name: 'w' }];
    expect(keyLabel(folders, 'f0/src/a.ts')).toBe('src/a.ts');
    expect(keyLabel(folders, 'file:///tmp/100%25.txt')).toBe('/tmp/100%.txt');
  });
});
