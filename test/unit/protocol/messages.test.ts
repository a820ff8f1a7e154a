import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequest, requestSchemas } from '../../../src/protocol/messages';

const names = Object.keys(requestSchemas);
const head = { type: 'request', requestId: 'r1', sessionId: 's1' };

describe('requests from the page', () => {
  it('never make the parser throw, whatever they are', () => {
    fc.assert(
      fc.property(fc.anything(), (data) => {
        expect(typeof parseRequest(data).ok).toBe('boolean');
      }),
    );
  });

  it('can be answered when only the parameters are wrong', () => {
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (name, params) => {
        const parsed = parseRequest({ ...head, name, params });
        if (parsed.ok) expect(parsed.frame).toMatchObject({ ...head, name });
        else expect(parsed).toMatchObject({ requestId: 'r1', sessionId: 's1' });
      }),
    );
  });

  it('can be answered when the name is unknown, also one that every object has', () => {
    for (const name of ['nothing', 'constructor', '__proto__', 'toString', '']) {
      expect(parseRequest({ ...head, name, params: {} })).toEqual({
        ok: false,
        requestId: 'r1',
        sessionId: 's1',
        problem: `unknown request ${name}`,
      });
    }
  });

  it('are refused with parameters they do not have', () => {
    expect(parseRequest({ ...head, name: 'stop', params: { force: true } }).ok).toBe(false);
    expect(parseRequest({ ...head, name: 'stop', params: {} }).ok).toBe(true);
    expect(parseRequest({ ...head, name: 'stop', params: {}, extra: 1 }).ok).toBe(false);
  });

  it('come through as they were sent', () => {
    const draft = {
      text: 'Hi',
      attachments: [{ uri: 'file:///a' }, { name: 'b', mime: 'image/png', base64: 'AA==' }],
    };
    const params = { verb: 'edit', messageId: 'u1', scope: 'chat', draft };
    expect(parseRequest({ ...head, name: 'planMove', params })).toEqual({
      ok: true,
      frame: { ...head, name: 'planMove', params },
    });
  });

  it('are refused with a verb, a scope or an answer that there is not', () => {
    for (const [name, params] of [
      ['planMove', { verb: 'destroy' }],
      ['planMove', { verb: 'rewind', scope: 'all' }],
      ['answerApproval', { approvalId: 'q', answer: 'maybe' }],
      ['applyMove', { planId: 'p', choices: { f: 'theirs' }, dontAskAgain: false }],
      ['openSession', { sessionId: '' }],
    ] as const) {
      expect(parseRequest({ ...head, name, params }).ok).toBe(false);
    }
  });
});
