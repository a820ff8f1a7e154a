import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ModelConfig } from '../../../src/engine/ports';
import { anthropic, openAi, sendStream, startServer } from './kit/streamServer';
import { assistant, runTurn, user } from './kit/turns';

/** Returns the body of the one request a turn makes. */
async function sentBody(
  config: Omit<ModelConfig, 'id' | 'model'>,
  answer: string,
): Promise<Record<string, unknown>> {
  const server = await startServer((response) => sendStream(response, answer));
  await runTurn('', {
    model: { id: 'm', model: 'claude-sonnet-4-5', baseUrl: `${server.url}/v1`, ...config },
    history: [user('one'), assistant([{ type: 'text', text: 'two' }]), user('three')],
  });
  await server.stop();
  return z.record(z.string(), z.unknown()).parse(JSON.parse(server.bodies[0] ?? ''));
}

const said =
  anthropic.start +
  anthropic.textStart() +
  anthropic.text('hi') +
  anthropic.blockStop() +
  anthropic.finish('end_turn');

describe('what a configuration asks of a request', () => {
  it('Anthropic keeps instructions and the conversation so far, and hears of the effort', async () => {
    const body = await sentBody(
      { provider: 'anthropic', reasoningEffort: 'low', maxOutputTokens: 77 },
      said,
    );
    const mark = { type: 'ephemeral' };
    expect(body).toMatchObject({
      max_tokens: 77,
      output_config: { effort: 'low' },
      system: [{ type: 'text', text: 'You are a test.', cache_control: mark }],
    });
    expect(body['messages']).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'text', text: 'three', cache_control: mark }] },
    ]);
    expect(JSON.stringify(body).match(/cache_control/gu)).toHaveLength(2);
  });

  it('an OpenAI-compatible server hears of effort and length only where they are set', async () => {
    const plain = await sentBody({ provider: 'openai-compatible' }, openAi.say('hi'));
    expect(plain).not.toHaveProperty('reasoning_effort');
    expect(plain).not.toHaveProperty('max_tokens');
    const set = await sentBody(
      { provider: 'openai-compatible', reasoningEffort: 'high', maxOutputTokens: 9 },
      openAi.say('hi'),
    );
    expect(set).toMatchObject({ reasoning_effort: 'high', max_tokens: 9 });
    expect(JSON.stringify(set)).not.toContain('cache');
  });

  it('C62 a model said to have no tools is offered none', async () => {
    const body = await sentBody({ provider: 'openai-compatible', tools: false }, openAi.say('hi'));
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
  });
});
