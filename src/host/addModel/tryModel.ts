import type { Part } from '../../core/node';
import type { Agent, ModelConfig } from '../../engine/ports';
import { looseMessage, noWorkspace } from '../askOnce';

/** What a try came to: nothing when the model answered, else why it did not. */
export type Tried = string | undefined;

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
    history: [looseMessage('Reply with the word OK.')],
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
