import type { Part, UserNode } from '../../core/node';
import { ToolError, type Agent, type AgentWorkspace, type ModelConfig } from '../../engine/ports';

/** What a try came to: nothing when the model answered, else why it did not. */
export type Tried = string | undefined;

const question: UserNode = {
  role: 'user',
  id: 'test',
  parentId: null,
  filesFrom: null,
  createdAt: 0,
  order: 0,
  text: 'Reply with the word OK.',
  attachments: [],
};

/** Sends a model one short message, the way every message goes, tools included; nothing of the workspace is sent. */
export async function tryModel(
  agent: Agent,
  model: ModelConfig,
  apiKey: string | undefined,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<Tried> {
  const answered = new AbortController();
  const said: Part[] = [];
  const outcome = await agent.run({
    history: [question],
    model,
    mode: 'agent',
    ...(apiKey !== undefined && { apiKey }),
    instructions: '',
    workspace: noWorkspace,
    attachment: async () => undefined,
    fetch: fetcher,
    signal: AbortSignal.any([signal, answered.signal]),
    sink: {
      setPart: (_, part) => {
        said.push(part);
        // The first sign of an answer is enough; more of it may cost money.
        answered.abort();
      },
      waiting: () => undefined,
    },
  });
  return said.length > 0 ? undefined : outcome.error?.message;
}

const refuse = async (): Promise<never> => {
  throw new ToolError('This is a test: there is no workspace.');
};

const noWorkspace: AgentWorkspace = {
  resolve: refuse,
  read: refuse,
  list: refuse,
  search: refuse,
  write: refuse,
  delete: refuse,
  rename: refuse,
  run: refuse,
};
