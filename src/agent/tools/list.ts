import { z } from 'zod';
import { defineTool } from './tool';

export const list = defineTool({
  name: 'list',
  description: 'Lists the names in a folder. Folders end with a slash.',
  shape: {
    path: z.string().optional().describe('Path of the folder; left out, the top of the workspace.'),
  },
  needs: 'ask',
  writes: false,
  async run(input, workspace) {
    const { entries, truncated } = await workspace.list(input.path ?? '');
    if (entries.length === 0) return '(The folder is empty.)';
    return (
      entries.join('\n') + (truncated ? '\n[There are more; list a folder further down.]' : '')
    );
  },
});
