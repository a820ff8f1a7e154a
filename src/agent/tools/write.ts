import { z } from 'zod';
import { rewriteBytes } from '../textEdit';
import { withErrors } from './problems';
import { defineTool, path } from './tool';

export const write = defineTool({
  name: 'write',
  description:
    'Writes a whole file: makes a new one, or replaces one that has been read. Missing folders are made. To change a part of a file use edit.',
  shape: { path, text: z.string().describe('Everything the file is to hold.') },
  needs: 'edit',
  writes: true,
  async run(input, workspace) {
    const file = await workspace.resolve(input.path);
    const before = await workspace.read(file, { unseen: true });
    const { created } = await workspace.write(file, rewriteBytes(before, input.text));
    const answer = created ? `Created ${file.label}.` : `Wrote ${file.label}.`;
    return withErrors(answer, workspace, file);
  },
});
