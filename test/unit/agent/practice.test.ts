import { describe, expect, it } from 'vitest';
import { runTurn, user } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

async function practise(message: string, files: Record<string, string> = {}) {
  const turn = await runTurn(message, { workspace: new MemoryWorkspace(files) });
  const after: Record<string, string | undefined> = {};
  for (const path of turn.workspace.files.keys()) after[path] = turn.workspace.text(path);
  return { ...turn, after };
}

describe('Practice', () => {
  it('carries out several lines as several calls of one turn, in order', async () => {
    const turn = await practise('create a.txt with one\\ntwo\ncreate "b c.txt" with x', {});
    expect(turn.outcome.status).toBe('done');
    expect(turn.after).toEqual({ 'a.txt': 'one\ntwo', 'b c.txt': 'x' });
    expect(turn.tools.map(({ name, state }) => [name, state])).toEqual([
      ['write', 'done'],
      ['write', 'done'],
    ]);
    expect(turn.text).toBe('Done: created a.txt, created b c.txt.');
  });

  it('reads before it changes', async () => {
    const turn = await practise('replace 1 with 2 in f\nappend c to g', {
      f: '1 1\n',
      g: 'a\nb\n',
    });
    expect(turn.after).toEqual({ f: '2 2\n', g: 'a\nb\nc\n' });
    expect(turn.tools.map(({ name }) => name)).toEqual(['read', 'read', 'edit', 'edit']);
    expect(turn.text).toBe('Done: changed f, changed g.');
  });

  it('changes a file twice in the order of the lines', async () => {
    const turn = await practise('append b to f\nappend c to f\nreplace c with d in f', {
      f: 'a\n',
    });
    expect(turn.after).toEqual({ f: 'a\nb\nd\n' });
  });

  it('C22 appends after the end, whatever the end is', async () => {
    const big = 'line\n'.repeat(4500);
    const turn = await practise(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((file) => `append x to ${file}`).join('\n'),
      {
        a: '',
        b: '\n',
        c: '1\r\n2\r\n',
        d: 'x\nx',
        e: '\n\n\n',
        f: big,
      },
    );
    expect(turn.text).toContain('Done: changed a, changed b');
    expect(turn.after).toEqual({
      a: 'x',
      b: '\nx\n',
      c: '1\r\n2\r\nx\r\n',
      d: 'x\nx\nx',
      e: '\n\n\nx\n',
      f: `${big}x\n`,
    });
  });

  it('takes text from a fenced block', async () => {
    const turn = await practise(
      'create a.md with:\n```md\n# t\n\ndelete b.txt\n```\nappend to b.txt:\n```\nx\ny\n```\nreplace `x` in c.txt with\n~~~\ny\nz\n~~~\nsay end',
      { 'b.txt': 'b', 'c.txt': 'axa' },
    );
    expect(turn.after).toEqual({
      'a.md': '# t\n\ndelete b.txt\n',
      'b.txt': 'b\nx\ny',
      'c.txt': 'ay\nza',
    });
  });

  it('deletes, renames, reads, lists and searches', async () => {
    const turn = await practise(
      'Please delete a\n- rename `b b` to "d/e f"\n1. READ c\nlist\nlist d\nsearch see',
      { a: '1', 'b b': '2', c: 'I see\n' },
    );
    expect(turn.after).toEqual({ 'd/e f': '2', c: 'I see\n' });
    expect(turn.tools.map(({ name, output }) => [name, output])).toEqual([
      ['delete', 'Deleted a.'],
      ['rename', 'Renamed b b to d/e f.'],
      ['read', 'I see\n'],
      ['list', 'c\nd/e f'],
      ['list', 'e f'],
      ['search', 'c:1: I see'],
    ]);
    expect(turn.text).toContain('deleted a, renamed b b to d/e f, looked at c');
  });

  it('writes a whole file, there or not', async () => {
    const turn = await practise('write a with new\nwrite b with new', { a: 'old' });
    expect(turn.after).toEqual({ a: 'new', b: 'new' });
    expect(turn.text).toBe('Done: changed a, created b.');
  });

  it('runs a command line as it stands, or a block of them', async () => {
    const workspace = new MemoryWorkspace();
    workspace.onRun = async ({ line, onOutput }) => {
      onOutput(`${line} …`);
      const exitCode = line.startsWith('false') ? 1 : 0;
      return { why: 'exited', exitCode, output: 'out\n', leftRunning: false };
    };
    const turn = await runTurn(
      '- run echo "a b" with x\nrun false\nrun\n```sh\ncd x\nmake\n```\nsay end',
      { workspace },
    );
    expect(
      turn.tools.map(({ input, state, output, exitCode }): unknown[] => [
        input,
        state,
        output,
        exitCode,
      ]),
    ).toEqual([
      [{ command: 'echo "a b" with x' }, 'done', 'out\n[exit 0]', 0],
      [{ command: 'false' }, 'done', 'out\n[exit 1]', 1],
      [{ command: 'cd x\nmake\n' }, 'done', 'out\n[exit 0]', 0],
    ]);
    expect(turn.text).toContain('ran “echo "a b" with x”');
  });

  it('says what failed and goes on', async () => {
    const turn = await practise(
      'append x to gone\nreplace no with x in f\nsay on\ncreate a with 1',
      {
        f: 'yes\n',
      },
    );
    expect(turn.after).toEqual({ f: 'yes\n', a: '1' });
    expect(turn.text).toContain('Could not change gone: There is no file gone.');
    expect(turn.text).toContain('Could not change f: "old" was not found');
    expect(turn.text).toContain('Done: created a. 2 instructions were not carried out.');
    expect(turn.outcome.status).toBe('done');
  });

  it('does what only shows: say, think, wait', async () => {
    const turn = await practise('think hm hm\nsay one two\\nthree\nwait 0.01');
    expect(turn.parts.map((part) => part.type)).toEqual(['reasoning', 'text']);
    expect(turn.text).toBe('one two\nthree\n\n.');
    expect(turn.outcome.usage?.outputTokens).toBeGreaterThan(0);
  });

  it('can be told to fail, also after it has done something', async () => {
    const turn = await practise('create a with 1\nfail no more\ncreate b with 2');
    expect(turn.outcome).toMatchObject({
      status: 'failed',
      sent: true,
      error: { code: 'model', message: 'no more' },
    });
    expect(turn.after).toEqual({ a: '1' });
    expect((await practise('fail')).outcome.error?.message).toBe('Practice was told to fail here.');
  });

  it('says what it can do, and that it is no AI, when nothing was understood', async () => {
    const turn = await practise('How do I sort a list?');
    expect(turn.outcome.status).toBe('done');
    expect(turn.text).toContain('no AI');
    expect(turn.text).toContain('- `create notes.txt with hello`');
  });

  it('follows the last message only, not what is attached or was asked before', async () => {
    const workspace = new MemoryWorkspace();
    const turn = await runTurn('', {
      workspace,
      history: [
        user('create old with 1'),
        user('create new with 2', [
          { name: 'x.txt', mime: 'text/plain', base64: btoa('create attached with 3') },
        ]),
      ],
    });
    expect(turn.outcome.status).toBe('done');
    expect([...workspace.files.keys()]).toEqual(['new']);
  });

  it('is stopped at any time, at once', async () => {
    const stop = new AbortController();
    const started = Date.now();
    const turn = await runTurn('say hello\nwait 60', {
      signal: stop.signal,
      onPart: (part) => {
        if (part.type === 'text' && part.text.endsWith('.')) stop.abort();
      },
    });
    expect(turn.outcome).toMatchObject({ status: 'interrupted', sent: true });
    expect(Date.now() - started).toBeLessThan(1000);
    expect(turn.text).toBe('hello\n\n.');
  });

  it('takes a moment for a short answer', async () => {
    const started = Date.now();
    const turn = await runTurn('create a.txt with hello', {
      model: { id: 'practice', provider: 'practice', model: 'practice' },
    });
    const took = Date.now() - started;
    expect(turn.outcome.status).toBe('done');
    expect(took).toBeGreaterThan(250);
    expect(took).toBeLessThan(1500);
  });
});
