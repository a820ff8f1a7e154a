import { createAgent } from '../../../../src/agent/main';
import type { AgentOptions } from '../../../../src/agent/main';
import type {
  AssistantNode,
  Attachment,
  Part,
  ToolPart,
  UserNode,
} from '../../../../src/core/node';
import type { AgentOutcome, AgentTurn, ModelConfig } from '../../../../src/engine/ports';
import { MemoryWorkspace } from './workspace';

export const practiceFast: ModelConfig = {
  id: 'practice',
  provider: 'practice',
  model: 'practice-fast',
};

let ids = 0;

function base(parentId: string | null) {
  return { id: `n${++ids}`, parentId, filesFrom: parentId, createdAt: 0, order: 0 };
}

export function user(text: string, attachments: readonly Attachment[] = []): UserNode {
  return { ...base(null), role: 'user', text, attachments };
}

export function assistant(parts: readonly Part[]): AssistantNode {
  return { ...base(null), role: 'assistant', model: 'm', parts, status: 'done', changes: [] };
}

/** A turn that was run: how it ended, what was told on the way. */
export interface RanTurn {
  readonly outcome: AgentOutcome;
  readonly parts: readonly Part[];
  readonly waits: readonly string[];
  readonly workspace: MemoryWorkspace;
  readonly text: string;
  readonly tools: readonly ToolPart[];
}

export interface TurnSetup extends Partial<Omit<AgentTurn, 'workspace'>> {
  readonly workspace?: MemoryWorkspace;
  readonly agent?: AgentOptions;
  readonly onPart?: (part: Part, index: number) => void;
  readonly onWaiting?: (text: string) => void;
}

/** Runs one turn of the agent and checks on the way that parts only ever grow at the end. */
export async function runTurn(text: string, setup: TurnSetup = {}): Promise<RanTurn> {
  const { agent, onPart, onWaiting, workspace = new MemoryWorkspace(), ...turn } = setup;
  const parts: Part[] = [];
  const waits: string[] = [];
  const outcome = await createAgent({ retryDelaysMs: [1, 2, 4], ...agent }).run({
    history: [user(text)],
    model: practiceFast,
    mode: 'agent',
    instructions: 'You are a test.',
    workspace,
    attachment: async () => undefined,
    fetch: globalThis.fetch,
    signal: new AbortController().signal,
    sink: {
      setPart(index, part) {
        if (index > parts.length) throw new Error(`Part ${index} of ${parts.length}`);
        parts[index] = structuredClone(part);
        onPart?.(part, index);
      },
      waiting(line) {
        if (line === undefined) return;
        waits.push(line);
        onWaiting?.(line);
      },
    },
    ...turn,
  });
  return {
    outcome,
    parts,
    waits,
    workspace,
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
    tools: parts.filter((part) => part.type === 'tool'),
  };
}
