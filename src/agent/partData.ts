import { z } from 'zod';
import type { JSONValue } from 'ai';

/** What a provider wants back with a part, by provider. */
export type Metadata = Record<string, Record<string, JSONValue>>;

/** What the agent keeps with a part it made, beside what people see. */
export interface PartData {
  /** The model that made the part; nobody else is handed its metadata. */
  readonly from: string;
  /** The model call of the turn it came with: parts of one call go back as one message. */
  readonly step: number;
  readonly metadata?: Metadata;
}

const metadataSchema = z.record(z.string(), z.record(z.string(), z.json()));

const schema = z.object({
  from: z.string(),
  step: z.number(),
  metadata: metadataSchema.optional(),
});

/** Reads what was kept with a part; anything of another shape counts as nothing. */
export function partData(value: unknown): PartData | undefined {
  const parsed = schema.safeParse(value);
  if (!parsed.success) return undefined;
  const { metadata, ...rest } = parsed.data;
  return metadata === undefined ? rest : { ...rest, metadata };
}

export function toMetadata(value: unknown): Metadata | undefined {
  const parsed = metadataSchema.safeParse(value);
  return parsed.success && Object.keys(parsed.data).length > 0 ? parsed.data : undefined;
}
