import { jsonSchema } from 'ai';
import type { AgentTurn } from '../../engine/ports';
import type { AgentTool } from './tool';

/** No more of an answer goes to the model, in characters. */
const mostAnswer = 30_000;

/** Returns the tools of others as the loop takes them; one that bears the name of a tool of ours stays out. */
export function outsideTools(turn: AgentTurn, own: readonly AgentTool[]): AgentTool[] {
  const taken = new Set(own.map(({ name }) => name));
  return (turn.outsideTools ?? [])
    .filter(({ name }) => /^[\w-]{1,64}$/u.test(name) && !taken.has(name))
    .map((tool) => ({
      name: tool.name,
      description: tool.description,
      schema: jsonSchema(tool.schema),
      needs: 'agent',
      writes: true,
      // What it changed is looked for when it has ended, as with a command.
      settleMs: 15_000,
      call: async (input) => {
        const answer = await tool.call(input);
        const more = answer.length - mostAnswer;
        if (more > 0)
          return `${answer.slice(0, mostAnswer)}\n[${more} more characters are left out.]`;
        return answer === '' ? '(no output)' : answer;
      },
    }));
}
