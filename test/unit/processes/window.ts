// A window without VS Code, in a process of its own: does what it is asked on its standard input, a line each.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { staleAfter } from '../../../src/engine/liveReply';
import type { OpenSession } from '../../../src/engine/openSession';
import { write, type Script } from '../../kit/memoryEngine';
import { realEngine } from '../../kit/realEngine';
import type { Answer, Asked, Shown } from './protocol';

const [place = ''] = process.argv.slice(2);
const say = (line: Answer): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/** Every message writes a file of its own; one that begins with `hang` is never answered to the end. */
const script: Script = async (turn) => {
  const user = turn.history.at(-1);
  const text = user?.role === 'user' ? user.text : '';
  await write(turn, `${text}.txt`, `${text}\n`);
  if (text.startsWith('hang')) await new Promise(() => undefined);
  return undefined;
};
const scripts = new Proxy<Record<string, Script>>({}, { get: () => script });
const { retrace, sessions } = await realEngine(place, scripts, staleAfter);

function shown(session: OpenSession): Shown {
  return {
    ...{ draft: session.draft, head: session.standing.head },
    messages: [...session.state.nodes.values()].map((node) => ({
      ...{ id: node.id, role: node.role, parentId: node.parentId },
      ...(node.role === 'user' && { text: node.text }),
      ...(node.role === 'assistant' && { status: node.status }),
    })),
  };
}

async function answer(asked: Asked): Promise<unknown> {
  if (asked.do === 'create') return (await sessions.create()).id;
  if (asked.do === 'list') return (await sessions.cards()).map(({ id }) => id);
  const session = await sessions.open(asked.session);
  if (asked.do === 'type') return session.typeDraft({ text: asked.text, attachments: [] });
  if (asked.do === 'send') return retrace.send(session, { text: asked.text, attachments: [] });
  if (asked.do === 'hold')
    return sessions.holding(session, Promise.resolve(), () => new Promise(() => undefined));
  await sessions.follow(session);
  return shown(session);
}

for await (const line of createInterface(process.stdin)) {
  const asked = JSON.parse(line) as Asked;
  answer(asked).then(
    (value) => say({ id: asked.id, value: value ?? null }),
    (error: unknown) =>
      say({ id: asked.id, error: error instanceof Error ? error.message : String(error) }),
  );
}
await sessions.flush();
process.exit(0);
