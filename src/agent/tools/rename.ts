import { z } from 'zod';
import { defineTool } from './tool';

export const rename = defineTool({
  name: 'rename',
  description: 'Gives a file another name or place. The new name must be free.',
  shape: {
    from: z.string().min(1).describe('Path of the file now.'),
    to: z.string().min(1).describe('Path it is to have.'),
  },
  needs: 'edit',
  writes: true,
  async run(input, workspace) {
    const from = await workspace.resolve(input.from);
    const to = await workspace.resolve(input.to);
    await workspace.rename(from, to);
    return `Renamed ${from.label} to ${to.label}.`;
  },
});
