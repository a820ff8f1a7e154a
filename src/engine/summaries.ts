import { ancestors } from '../core/graph';
import type { SummaryNode } from '../core/node';
import { refusedTokens, repliesTo } from '../core/refusedTokens';
import { summaryCovers } from '../core/summaryCovers';
import { RetraceError } from './errors';
import type { OpenSession } from './openSession';
import type { ChosenModel, TurnPorts } from './turnRunner';

export type SummaryPorts = Pick<TurnPorts, 'agent' | 'fetch' | 'runtime'>;

/**
 * Puts a summary of older turns under the head; from then on it stands for them in requests. Throws `nothing_to_do`
 * where there is nothing to tell, `cancelled` when it was stopped, `model` when the model gave none.
 */
export async function summarise(
  session: OpenSession,
  model: ChosenModel,
  ports: SummaryPorts,
): Promise<SummaryNode> {
  session.refuseWhileRunning();
  const { head, filesHead, apart } = session.standing;
  const { nodes, children } = session.state;
  const history = ancestors(nodes, head);
  const refused = refusedTokens(history, repliesTo(nodes, children, head), model.config);
  const window = Math.min(model.config.contextWindow ?? Infinity, refused ?? Infinity);
  const covers = summaryCovers(history, window / 3);
  if (head === null || covers.length === 0)
    throw new RetraceError('nothing_to_do', 'There is nothing to summarise yet.');
  const controller = new AbortController();
  const { signal } = controller;
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  session.running = { nodeId: head, controller, settled };
  session.events.fire({ type: 'changed' });
  try {
    const agent = await ports.agent();
    const covered = new Set(covers);
    const { text, usage, error } = await agent.summarise({
      nodes: history.filter((node) => covered.has(node.id)),
      model: model.config,
      ...(model.apiKey !== undefined && { apiKey: model.apiKey }),
      ...(refused !== undefined && { refusedTokens: refused }),
      fetch: ports.fetch,
      signal,
      waiting: (line) => session.setWaiting(line),
    });
    if (signal.aborted) throw new RetraceError('cancelled', 'The summary was stopped.');
    if (text === undefined)
      throw new RetraceError('model', 'Older turns could not be summarised. {0}', [
        error?.message ?? '',
      ]);
    const node: SummaryNode = {
      role: 'summary',
      id: ports.runtime.newId(),
      parentId: head,
      filesFrom: filesHead,
      createdAt: ports.runtime.now(),
      order: session.state.nextOrder(head),
      text,
      covers,
      ...(usage && { usage }),
    };
    await session.setHead([
      { type: 'node', node, standing: { head: node.id, filesHead: node.id, apart } },
    ]);
    return node;
  } finally {
    session.running = undefined;
    session.setWaiting(undefined);
    session.events.fire({ type: 'changed' });
    settle();
  }
}
