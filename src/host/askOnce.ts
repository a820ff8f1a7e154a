import type { Part, UserNode } from '../core/node';
import { ToolError, type Agent, type AgentOutcome, type AgentWorkspace } from '../engine/ports';
import type { ChosenModel } from '../engine/turnRunner';

const refuse = async (): Promise<never> => {
  throw new ToolError('There is no workspace here.');
};

/** A workspace without anything in it, for questions that are about none. */
export const noWorkspace: AgentWorkspace = {
  resolve: refuse,
  read: refuse,
  list: refuse,
  search: refuse,
  write: refuse,
  delete: refuse,
  rename: refuse,
  run: refuse,
};

/** Returns a message that belongs to no session. */
export function looseMessage(text: string): UserNode {
  return {
    role: 'user',
    id: 'question',
    parentId: null,
    filesFrom: null,
    createdAt: 0,
    order: 0,
    text,
    attachments: [],
  };
}

/** How long an answer to a short question may be, in tokens: room for a model that thinks first. */
const answerTokens = 1_000;

/** Asks a model one short question, without tools, workspace or history, and returns what it said. */
export async function askOnce(
  agent: Agent,
  { config, apiKey }: ChosenModel,
  question: string,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<string | undefined> {
  const parts: Part[] = [];
  const outcome: AgentOutcome = await agent.run({
    history: [looseMessage(question)],
    model: { ...config, tools: false, maxOutputTokens: answerTokens },
    mode: 'ask',
    ...(apiKey !== undefined && { apiKey }),
    instructions: '',
    workspace: noWorkspace,
    attachment: async () => undefined,
    fetch: fetcher,
    signal,
    sink: {
      setPart: (index, part) => {
        parts[index] = part;
      },
      waiting: () => undefined,
    },
  });
  if (outcome.status !== 'done') return undefined;
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
