import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/core/estimate';
import type { GraphNode } from '../../../src/core/node';
import { assistant, user } from './kit/turns';

describe('estimate', () => {
  it('counts what a request holds: text, calls with their results, images, attached files', () => {
    expect(estimateTokens([])).toBe(0);
    expect(estimateTokens([user('x'.repeat(400))])).toBe(104);
    const call = {
      type: 'tool',
      callId: 'c',
      name: 'read',
      input: { path: 'a' },
      state: 'done',
      output: 'y'.repeat(4000),
      startedAt: 0,
    } as const;
    expect(estimateTokens([assistant([call])])).toBeGreaterThan(1000);
    expect(estimateTokens([user('', [{ name: 'p', mime: 'image/png', base64: '' }])])).toBe(1504);
    const attached = [user('', [{ uri: 'file:///a' }])];
    expect(estimateTokens(attached)).toBe(4);
    expect(estimateTokens(attached, () => 4000)).toBe(1004);
    expect(estimateTokens(attached, () => 1e9)).toBe(65_540);
  });

  it('counts nothing that is not sent', () => {
    const asked = user('x'.repeat(4000));
    const notice: GraphNode = { ...user('n'), role: 'notice', text: 'x'.repeat(4000) };
    const summary: GraphNode = { ...user(''), role: 'summary', text: 'short', covers: [asked.id] };
    expect(estimateTokens([asked, notice, summary])).toBe(6);
  });
});
