import { expect, it } from 'vitest';
import { Approvals } from '../../../src/engine/approvals';
import { FakeRuntime } from '../../fakes/runtime';

it('counts how long questions of a session waited, and what needed none did not wait', async () => {
  const runtime = new FakeRuntime();
  const memory = { has: () => false, add: async () => undefined };
  const approvals = new Approvals(runtime, memory, (kind) => (kind === 'write' ? 'allow' : 'ask'));
  const { signal } = new AbortController();
  await approvals.ask('a', 'write', 'f', signal);
  expect(approvals.waited('a')).toBe(0);
  for (const answer of ['once', 'deny'] as const) {
    const asking = approvals.ask('a', 'command', 'ls', signal);
    const [question] = approvals.pending('a');
    runtime.time += 1_500;
    await approvals.answer(question?.approvalId ?? '', answer);
    expect(await asking).toBe(answer === 'once');
  }
  expect(approvals.waited('a')).toBe(3_000);
  expect(approvals.waited('b')).toBe(0);
});
