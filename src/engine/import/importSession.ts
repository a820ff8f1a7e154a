import { RetraceError } from '../errors';
import type { ForkPlan } from '../fork';
import { isBlock } from './blocks';
import { bounds, type ImportPorts } from './bounds';
import { isClaudeTranscript, readClaudeTranscript } from './claudeCode';
import { planForeign } from './messageTree';
import { qwenPawRow, readQwenPaw } from './qwenPaw';
import { lineAt, planRetraceFile } from './retraceFile';

/**
 * Works out the session a file holds: one that Retrace exported, a transcript of Claude Code, or a session of QwenPaw. Throws
 * `invalid` with the line that is wrong.
 */
export function planImport(text: string, ports: ImportPorts): ForkPlan {
  if (text.length > bounds.length) throw new RetraceError('invalid', 'The file is too large.');
  const whole = text.replace(/^\uFEFF/u, '');
  if (isClaudeTranscript(whole.trimStart())) return planForeign(readClaudeTranscript(whole), ports);
  const value = parseWhole(whole);
  const row = qwenPawRow(value);
  if (row === undefined || isRetrace(value)) return planRetraceFile(whole, value, ports);
  const lineOf = (_: number, id: string | undefined): number | undefined => {
    const at = id === undefined ? -1 : whole.indexOf(JSON.stringify(id));
    return at === -1 ? undefined : lineAt(whole, at);
  };
  return planForeign(readQwenPaw(row, lineOf), ports);
}

function isRetrace(value: unknown): boolean {
  return isBlock(value) && 'format' in value;
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/u.exec(error instanceof Error ? error.message : '')?.[1];
    if (at === undefined) throw new RetraceError('invalid', 'The file is not JSON.');
    throw new RetraceError('invalid', 'Line {0} is not JSON.', [lineAt(text, Number(at))]);
  }
}
