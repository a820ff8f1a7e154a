import { z } from 'zod';
import { defineTool } from './tool';

const maxLineLength = 300;

export const search = defineTool({
  name: 'search',
  description:
    'Finds lines that hold a text, or match a regular expression, in the files of the workspace. Ignored files are left out.',
  shape: {
    pattern: z.string().min(1).describe('The text or regular expression to find.'),
    isRegExp: z.boolean().optional().describe('True when the pattern is a regular expression.'),
    path: z.string().optional().describe('Folder or file to search in; left out, everything.'),
  },
  needs: 'ask',
  writes: false,
  async run(input, workspace) {
    const { hits, truncated } = await workspace.search({
      pattern: input.pattern,
      isRegExp: input.isRegExp ?? false,
      ...(input.path === undefined ? {} : { path: input.path }),
    });
    if (hits.length === 0) return 'Nothing was found.';
    const lines = hits.map((hit) => `${hit.label}:${hit.line}: ${shortened(hit.text)}`);
    return lines.join('\n') + (truncated ? '\n[There are more; narrow the search.]' : '');
  },
});

function shortened(text: string): string {
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text;
}
