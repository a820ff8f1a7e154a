import type { Schema } from 'ai';
import { z } from 'zod';
import type { Mode } from '../../core/mode';
import type { TodoPart } from '../../core/node';
import type { AgentWorkspace } from '../../engine/ports';
import type { Picture } from '../images';
import { ToolFailure } from '../failures';

/** What a call tells while it is carried out. */
export interface CallReport {
  /** What came out so far. */
  output(text: string): void;
  exitCode(code: number): void;
  /** The to-do list as it is now. */
  todo(items: TodoPart['items']): void;
  /** Shows the model a picture with the result, in this turn; false where it sees none. */
  image(picture: Picture): boolean;
}

/** A tool the model may call. */
export interface AgentTool {
  readonly name: string;
  /** For the model, in English. */
  readonly description: string;
  readonly schema: z.ZodType | Schema;
  /** The least mode it is offered in. */
  readonly needs: Mode;
  /** A call that changes files is never left half done behind the turn's back. */
  readonly writes: boolean;
  /** How long the call may take to end after Stop, in milliseconds, where the usual moment is not enough. */
  readonly settleMs?: number;
  /** Checks the arguments and does the work; returns what the model is told. */
  call(
    input: Readonly<Record<string, unknown>>,
    workspace: AgentWorkspace,
    report?: CallReport,
  ): Promise<string>;
}

/** Returns the JSON schema of a tool's arguments. */
export function inputSchema(tool: AgentTool): unknown {
  return 'jsonSchema' in tool.schema ? tool.schema.jsonSchema : z.toJSONSchema(tool.schema);
}

const unheard: CallReport = {
  output: () => undefined,
  exitCode: () => undefined,
  todo: () => undefined,
  image: () => false,
};

export function defineTool<Shape extends z.ZodRawShape>(definition: {
  readonly name: string;
  readonly description: string;
  readonly shape: Shape;
  readonly needs: Mode;
  readonly writes: boolean;
  readonly settleMs?: number;
  run(
    input: z.output<z.ZodObject<Shape>>,
    workspace: AgentWorkspace,
    report: CallReport,
  ): Promise<string>;
}): AgentTool {
  const schema = z.object(definition.shape);
  return {
    name: definition.name,
    description: definition.description,
    schema,
    needs: definition.needs,
    writes: definition.writes,
    ...(definition.settleMs !== undefined && { settleMs: definition.settleMs }),
    async call(input, workspace, report = unheard) {
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
      return definition.run(parsed.data, workspace, report);
    },
  };
}

export const path = z
  .string()
  .min(1)
  .describe('Path of the file, relative to the workspace folder.');
