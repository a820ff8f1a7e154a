import type { Part, ToolPart } from '../core/node';
import type { RequestNode } from '../core/requestNodes';
import { partData } from './partData';

/** How many characters of a tool's output a request holds: of earlier calls, and of those the model asked for last. */
export interface OutputLimits {
  readonly earlier: number;
  readonly last: number;
}

/** From everything to little; a request takes the first that fits. */
export const outputLimits: readonly OutputLimits[] = [
  { earlier: Infinity, last: Infinity },
  { earlier: 8_000, last: Infinity },
  { earlier: 2_000, last: 32_000 },
  { earlier: 500, last: 8_000 },
];

/** Cuts long outputs of tools, in a request only: what is stored is not touched. */
export function trimmed(
  source: { readonly nodes: readonly RequestNode[]; readonly running: readonly Part[] },
  { earlier, last }: OutputLimits,
): { readonly nodes: readonly RequestNode[]; readonly running: readonly Part[] } {
  if (earlier === Infinity && last === Infinity) return source;
  const lastStep = source.running.reduce(
    (step, part) =>
      Math.max(step, part.type === 'todo' ? 0 : (partData(part.providerData)?.step ?? 0)),
    0,
  );
  return {
    nodes: source.nodes.map((node) =>
      node.role === 'assistant'
        ? { ...node, parts: node.parts.map((part) => cut(part, earlier)) }
        : node,
    ),
    running: source.running.map((part) => {
      const isLast = part.type === 'tool' && partData(part.providerData)?.step === lastStep;
      return cut(part, isLast ? last : earlier);
    }),
  };
}

function cut(part: Part, most: number): Part {
  if (part.type !== 'tool' || part.output.length <= most) return part;
  return { ...part, output: shortened(part, most) };
}

function shortened({ output }: ToolPart, most: number): string {
  const head = Math.ceil(most * 0.6);
  const tail = most - head;
  const left = output.length - most;
  return `${output.slice(0, head)}\n[${left} characters are left out here to fit the model's context window; call the tool again if you need them.]\n${output.slice(output.length - tail)}`;
}
