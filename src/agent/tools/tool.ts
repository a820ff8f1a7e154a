import { z } from 'zod';
import type { AgentWorkspace } from '../../engine/ports';
import { ToolFailure } from '../failures';

/** A tool the model may call. */
export interface AgentTool {
  readonly name: string;
  /** For the model, in English. */
  readonly description: string;
  readonly schema: z.ZodType;
  /** A call that changes files is never left half done behind the turn's back. */
  readonly writes: boolean;
  /** Checks the arguments and does the work; returns what the model is told. */
  call(input: Readonly<Record<string, unknown>>, workspace: AgentWorkspace): Promise<string>;
}

export function defineTool<Shape extends z.ZodRawShape>(definition: {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly writes: boolean;
  run(input: z.output<z.ZodObject<Shape>>, workspace: AgentWorkspace): Promise<string>;
}): AgentTool {
  const schema = z.object(definition.shape);
  return {
    name: definition.name,
    description: definition.description,
    schema,
    writes: definition.writes,
    async call(input, workspace) {
      // Some models send null for what they leave out.
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
      const parsed = schema.safeParse(given);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const where = issue?.path.join('.') ?? '';
        throw new ToolFailure(
          `The arguments of ${definition.name} do not fit: ${where === '' ? '' : `${where}: `}${issue?.message ?? 'invalid'}. Nothing was done.`,
        );
      }
      return definition.run(parsed.data, workspace);
    },
  };
}

export const path = z
  .string()
  .min(1)
  .describe('Path of the file, relative to the workspace folder.');
