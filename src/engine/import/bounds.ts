import type { FileState } from '../../core/changes';
import type { SessionFolder } from '../../core/fileKey';
import { RetraceError } from '../errors';

/** What an import is made with. */
export interface ImportPorts {
  readonly newId: () => string;
  readonly now: () => number;
  readonly folders: readonly SessionFolder[];
}

/** How large an imported file, its number of messages and its texts may be. */
export const bounds = {
  length: 100_000_000,
  nodes: 200_000,
  title: 200,
  input: 1_000_000,
  attachment: 30_000_000,
} as const;

const latest = 8.64e15;

/** The only state a file has that an imported change speaks of: nothing is ever written from it. */
export const imported: FileState = { kind: 'uncovered', reason: 'imported' };

/** Returns a time that can be shown. */
export function time(value: number, otherwise: number): number {
  return value >= 0 && value <= latest ? value : otherwise;
}

/** Returns a title as it is kept. */
export function importedTitle(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, bounds.title) || '…';
}

/**
 * Returns the input of a tool call as it can be stored and sent: what is nested too deeply to be written down again, or too
 * long, is left out.
 */
export function plainInput(input: unknown): unknown {
  try {
    const text = JSON.stringify(input) as string | undefined;
    return text !== undefined && text.length <= bounds.input ? input : null;
  } catch {
    return null;
  }
}

/** Returns the error for a line that does not belong. */
export function badLine(line: number): RetraceError {
  return new RetraceError('invalid', 'The message in line {0} does not belong to the others.', [
    line,
  ]);
}
