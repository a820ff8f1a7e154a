import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
        'retrace.models': ['reader', 'empty', 'blocked', 'gone'].map(model),
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

  test('C61 nothing, a refusal and a model that is not there are told apart', async () => {
    expect((await send('empty')).error?.message).toContain('empty answer');
    expect((await send('blocked')).error?.message).toContain('quota');
    expect((await send('gone')).error?.message).toContain('offers no model');
  });
});
