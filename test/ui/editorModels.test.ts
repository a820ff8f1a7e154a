import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../kit/install.mts';
import { startServer } from '../kit/server.mts';
import type { Server } from '../kit/server.mts';
import { openWorkbench, quietSettings } from '../kit/workbench.mts';
import type { Workbench } from '../kit/workbench.mts';

interface Turn {
  readonly sessionId: string;
  readonly assistantMessageId: string;
  readonly status: string;
  readonly error?: { readonly message: string };
}

describe('models another extension offers to VS Code', () => {
  let folder: string;
  let server: Server;
  let window: Workbench;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'retrace-lm-'));
    await writeFile(join(folder, 'a.txt'), 'one');
    const model = (id: string) => ({ id, provider: 'vscode-lm', model: `retrace-test/${id}` });
    server = await startServer({
      testing: true,
      extensions: ['bridge', 'lmProvider'].map((name) => join(root, 'test', 'kit', name)),
      settings: {
        ...quietSettings,
        'chat.disableAIFeatures': false,
        'retrace.models': ['reader', 'empty', 'blocked', 'gone', 'tooler'].map(model),
      },
    });
    window = await openWorkbench({ folder, server });
  });
  afterAll(async () => {
    await window.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const send = (model: string) => window.execute<Turn>('retrace.send', { text: 'look', model });

  test('read files through the tools and answer', async () => {
    const turn = await send('reader');
    expect(turn).toMatchObject({ status: 'done' });
    const session = await window.execute<{ nodes: { id: string; text: string }[] }>(
      'retrace.getSession',
      { sessionId: turn.sessionId },
    );
    const reply = session.nodes.find(({ id }) => id === turn.assistantMessageId);
    expect(reply?.text).toBe('It says one');
  });

  test('tools of other extensions: off at first, then asked about, and what they change is rewound', async () => {
    const textOf = async ({ sessionId, assistantMessageId }: Turn): Promise<string> => {
      const { nodes } = await window.execute<{ nodes: { id: string; text: string }[] }>(
        'retrace.getSession',
        { sessionId },
      );
      return nodes.find(({ id }) => id === assistantMessageId)?.text ?? '';
    };
    expect(await textOf(await send('tooler'))).toContain('No touch among read');
    const tools = ['retrace_test_touch', 'copilot_readFile'];
    await window.execute('retrace.selectTools', { tools });
    const running = send('tooler');
    let open: { approvalId: string; kind: string; detail: string; note: string }[] = [];
    while (open.length === 0) open = await window.execute('retrace.pendingApprovals');
    expect(open[0]).toMatchObject({ kind: 'tools', detail: 'retrace_test_touch' });
    expect(open[0]?.note).toContain('"name": "t"');
    await window.execute('retrace.answerApproval', {
      approvalId: open[0]?.approvalId,
      answer: 'once',
    });
    const turn = await running;
    expect(await textOf(turn)).toBe('It says done so');
    expect(await readFile(join(folder, 't.txt'), 'utf8')).toBe('touched');
    const { sessionId } = turn;
    await window.execute('retrace.rewind', { sessionId, turns: 1, confirm: false });
    await expect(readFile(join(folder, 't.txt'))).rejects.toThrow('ENOENT');
  });

  test('C61 nothing, a refusal and a model that is not there are told apart', async () => {
    expect((await send('empty')).error?.message).toContain('empty answer');
    expect((await send('blocked')).error?.message).toContain('quota');
    expect((await send('gone')).error?.message).toContain('offers no model');
  });
});
