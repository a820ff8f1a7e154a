import { describe, expect, it } from 'vitest';
import type { AskEditorModel, EditorAnswer, EditorRequest } from '../../../src/agent/editor/port';
import { ModelProblem } from '../../../src/agent/failures';
import type { ModelConfig } from '../../../src/engine/ports';
import { runTurn, user } from './kit/turns';
import type { TurnSetup } from './kit/turns';
import { MemoryWorkspace } from './kit/workspace';

const model: ModelConfig = { id: 'e', provider: 'vscode-lm', model: 'vendor/model' };

/** Answers each request with the next list. */
async function against(answers: readonly (readonly EditorAnswer[])[], setup: TurnSetup = {}) {
  const requests: EditorRequest[] = [];
  const editorModel: AskEditorModel = async function* (request) {
    requests.push(request);
    for (const part of answers[requests.length - 1] ?? []) yield part;
  };
  const turn = await runTurn('go', { model, ...setup, agent: { editorModel, ...setup.agent } });
  return { ...turn, requests };
}

describe('models the editor offers', () => {
  it('stream text, call tools, and get results as the user’s words', async () => {
    const turn = await against(
      [
        [
          { type: 'text', text: 'I look.' },
          { type: 'call', callId: 'c1', name: 'read', input: { path: 'a' } },
        ],
        [
          { type: 'text', text: 'It says ' },
          { type: 'text', text: 'one.' },
        ],
      ],
      {
        history: [user('look', [{ name: 'p.png', mime: 'image/png', base64: 'aGk=' }])],
        workspace: new MemoryWorkspace({ a: 'one' }),
      },
    );
    expect(turn.outcome).toEqual({ status: 'done', sent: true, usage: { calls: 2 } });
    expect(turn.text).toBe('I look.\nIt says one.');
    expect(turn.requests[0]?.model).toBe('vendor/model');
    expect(turn.requests[0]?.tools.map(({ name }) => name)).toContain('read');
    expect(turn.requests[1]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'You are a test.' }] },
      {
        role: 'user',
        content: [
          { type: 'image', base64: 'aGk=', mime: 'image/png' },
          { type: 'text', text: 'look' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'call', callId: 'c1', name: 'read', input: { path: 'a' } },
        ],
      },
      { role: 'user', content: [{ type: 'result', callId: 'c1', text: 'one' }] },
    ]);
  });

  it('C61 a stream that yields nothing ends with a clear error', async () => {
    const turn = await against([[]]);
    expect(turn.outcome).toMatchObject({ status: 'failed', sent: true });
    expect(turn.outcome.error?.message).toContain('empty answer');
    expect(turn.parts).toEqual([]);
  });

  it('say in their own words what keeps them from answering', async () => {
    const editorModel: AskEditorModel = async function* () {
      yield* [];
      throw new ModelProblem('Consent was not given.');
    };
    const turn = await runTurn('go', { model, agent: { editorModel } });
    expect(turn.outcome.error?.message).toBe('Consent was not given.');
    expect(turn.waits).toEqual([]);
  });

  it('C58 what was called before an answer broke off is not executed', async () => {
    const editorModel: AskEditorModel = async function* () {
      yield { type: 'call', callId: 'c', name: 'write', input: { path: 'a', text: 'x' } };
      throw new Error('the connection broke');
    };
    const turn = await runTurn('go', { model, agent: { editorModel } });
    expect(turn.outcome.status).toBe('interrupted');
    expect(turn.workspace.log).toEqual([]);
    expect(turn.tools).toMatchObject([{ state: 'interrupted' }]);
  });

  it('C59 C61 stop at once, and end at the idle limit', async () => {
    const stop = new AbortController();
    let cancelled = false;
    const silent: AskEditorModel = async function* ({ signal }) {
      yield { type: 'text', text: 'so far' };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      cancelled = true;
    };
    const stopped = await runTurn('go', {
      model,
      signal: stop.signal,
      onPart: () => stop.abort(),
      agent: { editorModel: silent },
    });
    expect(stopped.outcome).toEqual({ status: 'interrupted', sent: true });
    await expect.poll(() => cancelled).toBe(true);
    const idle = await runTurn('go', { model, agent: { editorModel: silent, idleLimitMs: 50 } });
    expect(idle.outcome.status).toBe('interrupted');
    expect(idle.text).toBe('so far');
  });
});
