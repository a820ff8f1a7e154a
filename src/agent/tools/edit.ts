import { z } from 'zod';
import { ToolFailure } from '../failures';
import { editBytes } from '../textEdit';
import { withErrors } from './problems';
import { defineTool, path } from './tool';

export const edit = defineTool({
  name: 'edit',
  description:
    'Replaces text in a file that has been read. "old" must be the exact text, with enough around it to stand in the file once; replaceAll replaces every place.',
  shape: {
    path,
    old: z.string().describe('The text to replace, exactly as it stands in the file.'),
    new: z.string().describe('The text to put in its place.'),
    replaceAll: z.boolean().optional().describe('Replace every place, not just one.'),
  },
  needs: 'edit',
  writes: true,
  async run(input, workspace) {
    const file = await workspace.resolve(input.path);
    const before = await workspace.read(file, { unseen: true });
    if (before === undefined) throw new ToolFailure(`There is no file ${file.label}.`);
    const { bytes, count, line } = editBytes(before, {
      old: input.old,
      new: input.new,
      replaceAll: input.replaceAll ?? false,
    });
    await workspace.write(file, bytes);
    const answer =
      count === 1
        ? `Changed ${file.label} at line ${line}.`
        : `Changed ${file.label} in ${count} places.`;
    return withErrors(answer, workspace, file);
  },
});
