import { z } from 'zod';
import { ToolFailure } from '../failures';
import { editBytes } from '../textEdit';
import { withErrors } from './problems';
import { defineTool, path } from './tool';

export const multiEdit = defineTool({
  name: 'multi_edit',
  description:
    'Makes several replacements in one file that has been read, one after the other, each as edit does. If one of them fails, none is made.',
  shape: {
    path,
    edits: z
      .array(
        z.object({
          old: z.string().describe('The text to replace, as it stands after the edits before it.'),
          new: z.string().describe('The text to put in its place.'),
          replaceAll: z.boolean().nullish().describe('Replace every place, not just one.'),
        }),
      )
      .min(1)
      .max(100),
  },
  needs: 'edit',
  writes: true,
  async run(input, workspace) {
    const file = await workspace.resolve(input.path);
    const before = await workspace.read(file, { unseen: true });
    if (before === undefined) throw new ToolFailure(`There is no file ${file.label}.`);
    let bytes = before;
    let count = 0;
    for (const [index, edit] of input.edits.entries()) {
      try {
        const edited = editBytes(bytes, { ...edit, replaceAll: edit.replaceAll ?? false });
        bytes = edited.bytes;
        count += edited.count;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new ToolFailure(
          `Edit ${index + 1} of ${input.edits.length}: ${reason} Nothing was changed.`,
        );
      }
    }
    await workspace.write(file, bytes);
    return withErrors(`Changed ${file.label} in ${count} places.`, workspace, file);
  },
});
