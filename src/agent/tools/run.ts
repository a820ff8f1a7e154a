import { z } from 'zod';
import type { CommandResult } from '../../engine/ports';
import { ToolFailure } from '../failures';
import { defineTool } from './tool';

const defaultSeconds = 600;

export const run = defineTool({
  name: 'run',
  description:
    'Runs a command line in a shell, in a folder of the workspace, and returns what it wrote and its exit code. Nothing can be typed into it. Processes it leaves in the background are ended when the turn ends.',
  shape: {
    command: z.string().min(1).describe('The command line.'),
    cwd: z
      .string()
      .optional()
      .describe('The folder to run in; left out, the workspace folder where there is one only.'),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(3600)
      .optional()
      .describe(`The command is ended after so long; left out, ${defaultSeconds}.`),
  },
  needs: 'agent',
  writes: true,
  settleMs: 15_000,
  async run(input, workspace, report) {
    const seconds = input.timeoutSeconds ?? defaultSeconds;
    const result = await workspace.run({
      line: input.command,
      timeoutMs: seconds * 1000,
      onOutput: (text) => report.output(text),
      ...(input.cwd !== undefined && { folder: input.cwd }),
    });
    const text = answerText(result, seconds);
    if (result.exitCode !== undefined) report.exitCode(result.exitCode);
    if (result.why === 'stopped') throw new Error(text);
    if (result.why === 'timed out') throw new ToolFailure(text);
    return text;
  },
});

function answerText(result: CommandResult, seconds: number): string {
  const { why, exitCode, leftRunning } = result;
  const output = result.output.replace(/\n+$/u, '');
  const notes: string[] = [];
  if (why === 'stopped') notes.push('[The user stopped the command.]');
  else if (why === 'timed out')
    notes.push(`[The command was ended: it took longer than ${seconds} s.]`);
  else
    notes.push(
      exitCode === undefined ? '[The command was ended by a signal.]' : `[exit ${exitCode}]`,
    );
  if (leftRunning) notes.push('[Processes it started still run; they are ended with the turn.]');
  return [...(output === '' ? [] : [output]), ...notes].join('\n');
}
