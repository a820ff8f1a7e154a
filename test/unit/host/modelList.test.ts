import { describe, expect, test } from 'vitest';
import { keyOrigin, parseModels } from '../../../src/host/modelList';

describe('the models of the settings', () => {
  const good = {
    id: 'own',
    name: 'My own',
    provider: 'openai-compatible',
    model: 'm',
    baseUrl: 'http://localhost:8080/v1',
    contextWindow: 32_000,
  };

  test('Practice is always there, first, also beside nonsense', () => {
    for (const setting of [undefined, [], {}, 'x', [null, 3, { id: 'x' }]])
      expect(parseModels(setting).models.map(({ id }) => id)).toEqual(['practice']);
  });

  test('a good entry is taken over beside bad ones, each of which is told once and without its values', () => {
    const { models, problems } = parseModels([
      { ...good, apiKey: 'sk-secret' },
      good,
      { ...good },
      { ...good, id: 'other', baseUrl: 'ftp://sk-secret@host' },
      { ...good, id: 'practice' },
    ]);
    expect(models.slice(1)).toEqual([
      {
        id: 'own',
        label: 'My own',
        provider: 'openai-compatible',
        model: 'm',
        baseUrl: 'http://localhost:8080/v1',
        contextWindow: 32_000,
      },
    ]);
    expect(problems).toHaveLength(4);
    expect(problems[0]).toContain('retrace.models[0]');
    expect(problems[0]).toContain('apiKey');
    expect(problems.join()).not.toContain('sk-secret');
  });

  test('what an entry asks of its requests is taken over', () => {
    const asked = { maxOutputTokens: 99, reasoningEffort: 'low', tools: false };
    const { models } = parseModels([
      { ...good, ...asked },
      { ...good, id: 'bad', reasoningEffort: 'utmost' },
    ]);
    expect(models).toHaveLength(2);
    expect(models[1]).toMatchObject(asked);
  });

  test('a key belongs to the origin of the address, or of the service where none is given', () => {
    const model = { id: 'x', model: 'm' } as const;
    const at = (baseUrl: string) => keyOrigin({ ...model, provider: 'openai-compatible', baseUrl });
    expect(at('https://one.example:444/v1')).toBe('https://one.example:444');
    expect(at('https://one.example/other/v1')).toBe('https://one.example');
    expect(keyOrigin({ ...model, provider: 'anthropic' })).toBe('https://api.anthropic.com');
    expect(keyOrigin({ ...model, provider: 'practice' })).toBeUndefined();
    expect(keyOrigin({ ...model, provider: 'openai-compatible' })).toBeUndefined();
  });
});
