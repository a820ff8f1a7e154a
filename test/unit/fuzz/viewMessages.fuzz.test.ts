import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RequestName } from '../../../src/protocol/messages';
import { fuzzing, fuzzTimeout, mutated, mutations } from '../../kit/fuzz';
import { prepared } from '../host/kit/prepared';

test(
  'whatever a page says, the host answers or leaves it, and loses and writes nothing for it',
  { timeout: fuzzTimeout },
  async () => {
    const frame = fc.record({
      name: fc.nat(),
      session: fc.constantFrom('own', 'gone', ''),
      changes: fc.option(mutations, { nil: undefined }),
      whole: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 25 }), async (frames) => {
        const chat = await prepared();
        try {
          const { id } = await chat.current.get();
          const names = Object.keys(chat.params) as RequestName[];
          const before = [...(chat.sessions.opened(id)?.state.nodes.keys() ?? [])];
          for (const [n, { name, session, changes = [], whole }] of frames.entries()) {
            const asked = names[name % names.length] ?? 'ready';
            const requestId = `fuzz${n}`;
            const request = {
              ...{ type: 'request', requestId, name: asked },
              ...{ sessionId: session === 'own' ? id : session, params: chat.params[asked] },
            };
            const sent = whole
              ? mutated(request, changes)
              : { ...request, params: mutated(request.params, changes) };
            await chat.controller.receive(sent);
            const answers = chat.frames.filter(
              (one) => one.type === 'answer' && one.requestId === requestId,
            );
            expect(answers.length).toBeLessThanOrEqual(1);
            if (!whole) expect(answers).toHaveLength(1);
          }
          const session = await chat.sessions.open(id);
          await chat.retrace.stop(session);
          await session.afterMove();
          for (const node of before) expect(session.state.nodes.has(node)).toBe(true);
          expect((await chat.sessions.readStored(id)).damage).toEqual([]);
          for (const file of chat.memory.workspace.writes) expect(file).toBe('f0/f');
          for (const uri of chat.memory.disk.uris()) expect(uri).toMatch(/^memory:\/store\//u);
          expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
        } finally {
          chat.controller.dispose();
        }
      }),
      fuzzing(25),
    );
  },
);
