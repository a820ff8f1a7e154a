import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RequestFrame } from '../../../src/protocol/messages';
import { HostClient, patience } from '../../../webview-ui/host';

describe('the page asks the host', () => {
  let sent: RequestFrame[];
  let host: HostClient;

  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    host = new HostClient((frame) => sent.push(frame));
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  function answer(index: number, value: unknown = null): void {
    const { requestId = '', sessionId = '' } = sent[index] ?? {};
    host.receive({ type: 'answer', requestId, sessionId, result: { ok: true, value } });
  }

  function progress(index: number): void {
    const { requestId = '', sessionId = '' } = sent[index] ?? {};
    host.receive({ type: 'progress', requestId, sessionId, text: '…' });
  }

  it('gives each question its own answer, in whatever order they come', async () => {
    const fork = host.request('fork', 's1', {});
    const stop = host.request('stop', 's2', {});
    answer(1);
    answer(0, { sessionId: 's3' });
    expect(await fork).toEqual({ ok: true, value: { sessionId: 's3' } });
    expect(await stop).toEqual({ ok: true, value: null });
    expect(sent.map((frame) => frame.sessionId)).toEqual(['s1', 's2']);
    expect(host.waiting).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('passes a refusal on', async () => {
    const fork = host.request('fork', 's1', {});
    const result = { ok: false, code: 'not_found', message: 'No such message.' } as const;
    host.receive({ type: 'answer', requestId: sent[0]?.requestId ?? '', sessionId: 's1', result });
    expect(await fork).toEqual(result);
  });

  it('gives up after 30 s without a sign, and still hears the late answer', async () => {
    const late = vi.fn();
    const fork = host.request('fork', 's1', {}, { late });
    vi.advanceTimersByTime(patience - 1_000);
    expect(host.waiting).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(await fork).toMatchObject({ ok: false, code: 'no_answer' });
    expect(vi.getTimerCount()).toBe(0);
    answer(0, { sessionId: 's3' });
    expect(late).toHaveBeenCalledExactlyOnceWith({ ok: true, value: { sessionId: 's3' } });
    answer(0, { sessionId: 's3' });
    expect(late).toHaveBeenCalledOnce();
  });

  it('waits on while there is progress', async () => {
    const done = vi.fn();
    const send = host.request('bringHere', 's1', {}).then(done);
    for (let i = 0; i < 5; i += 1) {
      vi.advanceTimersByTime(patience - 1_000);
      progress(0);
    }
    await vi.advanceTimersByTimeAsync(0);
    expect(done).not.toHaveBeenCalled();
    answer(0);
    await send;
    expect(done).toHaveBeenCalledWith({ ok: true, value: null });
  });

  it('lets no time pass while the user is asked something', async () => {
    const done = vi.fn();
    void host
      .request('applyMove', 's1', { planId: 'p', choices: {}, dontAskAgain: false })
      .then(done);
    host.hold(true);
    await vi.advanceTimersByTimeAsync(patience * 10);
    expect(done).not.toHaveBeenCalled();
    host.hold(false);
    await vi.advanceTimersByTimeAsync(patience);
    expect(done).toHaveBeenCalledWith({ ok: false, code: 'no_answer', message: '' });
  });

  it('does not take an answer meant for the page it replaced', async () => {
    const done = vi.fn();
    const old = new HostClient((frame) => sent.push(frame));
    void old.request('stop', 's1', {});
    void host.request('stop', 's1', {}).then(done);
    answer(0);
    await vi.advanceTimersByTimeAsync(0);
    expect(done).not.toHaveBeenCalled();
  });
});
