import type { AgentFile, AgentWorkspace } from '../../engine/ports';
import { defineTool, path } from './tool';

const mostLines = 50;
const mostAfterEdit = 10;

export const problems = defineTool({
  name: 'problems',
  description:
    'Returns the errors and warnings the editor reports, of one file or of the whole workspace. Use it after changing files.',
  shape: { path: path.optional() },
  needs: 'ask',
  writes: false,
  async run(input, workspace) {
    const file = input.path === undefined ? undefined : await workspace.resolve(input.path);
    const lines = (await workspace.problems?.(file, 'all')) ?? [];
    if (lines.length === 0) return 'The editor reports no problems.';
    const more = lines.length - mostLines;
    return [
      ...lines.slice(0, mostLines),
      ...(more > 0 ? [`[${more} more are not shown.]`] : []),
    ].join('\n');
  },
});

/** Adds to what a change is answered with the errors the editor then reports for the file. */
export async function withErrors(
  answer: string,
  workspace: AgentWorkspace,
  file: AgentFile,
): Promise<string> {
  const lines = (await workspace.problems?.(file, 'errors')) ?? [];
  if (lines.length === 0) return answer;
  const more = lines.length - mostAfterEdit;
  return [
    answer,
    'The editor now reports these errors in it:',
    ...lines.slice(0, mostAfterEdit),
    ...(more > 0 ? [`[${more} more are not shown.]`] : []),
  ].join('\n');
}
