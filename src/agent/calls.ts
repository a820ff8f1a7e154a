import type { ToolPart } from '../core/node';
import type { Mode } from '../core/mode';
import type { AgentTurn } from '../engine/ports';
import { readArguments } from './arguments';
import { isDenied, isToolError } from './failures';
import { interruptedOutput } from './history';
import { pictureKey } from './images';
import type { Parts } from './parts';
import { orStopped } from './pause';
import type { StreamedCall } from './stepParts';
import type { AgentTool, CallReport } from './tools/tool';

export interface CallRunner {
  readonly parts: Parts;
  /** The tools the model was offered. */
  readonly tools: readonly AgentTool[];
  /** All there are, in any mode. */
  readonly known: readonly AgentTool[];
  readonly turn: AgentTurn;
  readonly now: () => number;
  /** The model sees images. */
  readonly sees: boolean;
  /** How long a write that is under way may take to end after Stop, so that it is recorded as what it was. */
  readonly settleMs: number;
}

/** What the model is told of a call that goes further than the mode. */
function notInMode(name: string, mode: Mode): string {
  return `The tool ${name} is not available: the user has set the mode "${mode}", ${
    mode === 'ask' ? 'in which files are only read' : 'in which no commands are run'
  }. Nothing was done.`;
}

const notStartedOutput = 'The call was not started: the user stopped the turn.';

/** Carries out the calls of one answer, one after the other, in the order they were made. */
export async function runCalls(runner: CallRunner, calls: readonly StreamedCall[]): Promise<void> {
  for (const call of calls) await runCall(runner, call);
}

async function runCall(runner: CallRunner, call: StreamedCall): Promise<void> {
  const { parts, now, turn } = runner;
  const part = parts.tool(call.index);
  const args = readArguments(call.raw);
  const waitedBefore = turn.waited?.() ?? 0;
  const end = (state: ToolPart['state'], output: string): void => {
    const waited = (turn.waited?.() ?? 0) - waitedBefore;
    const took = { endedAt: now(), ...(waited > 0 && { waited }) };
    parts.set(call.index, { ...parts.tool(call.index), state, output, ...took });
  };
  if (!args.ok) {
    end('failed', args.reason);
    return;
  }
  parts.set(call.index, { ...part, input: args.input, startedAt: now() });
  if (turn.signal.aborted) {
    end('interrupted', notStartedOutput);
    return;
  }
  const tool = runner.tools.find((candidate) => candidate.name === part.name);
  if (tool === undefined) {
    const names = runner.tools.map((candidate) => candidate.name).join(', ');
    const elsewhere = runner.known.some((candidate) => candidate.name === part.name);
    if (elsewhere) end('denied', notInMode(part.name, turn.mode));
    else end('failed', `There is no tool "${part.name}". The tools are: ${names}.`);
    return;
  }
  let ended = false;
  const report: CallReport = {
    output: (output) => {
      if (!ended) parts.set(call.index, { ...parts.tool(call.index), output });
    },
    exitCode: (exitCode) => {
      if (!ended) parts.set(call.index, { ...parts.tool(call.index), exitCode });
    },
    image: (picture) => {
      if (runner.sees && !ended) parts.images.set(pictureKey(parts.tool(call.index)), picture);
      return runner.sees;
    },
    todo: (items) => {
      if (!ended) parts.showTodo(items);
    },
  };
  const work = tool.call(args.input, turn.workspace, report).then(
    (output): [ToolPart['state'], string] => ['done', output],
    (error: unknown): [ToolPart['state'], string] => [
      isDenied(error)
        ? 'denied'
        : turn.signal.aborted && !isToolError(error)
          ? 'interrupted'
          : 'failed',
      error instanceof Error ? error.message : String(error),
    ],
  );
  const settleMs = tool.settleMs ?? (tool.writes ? runner.settleMs : 0);
  const outcome = await orStopped(work, turn.signal, settleMs);
  ended = true;
  if (outcome === undefined) end('interrupted', interruptedOutput);
  else end(...outcome);
}
