import { defineTool, path } from './tool';

export const deleteFile = defineTool({
  name: 'delete',
  description: 'Deletes a file.',
  shape: { path },
  needs: 'edit',
  writes: true,
  async run(input, workspace) {
    const file = await workspace.resolve(input.path);
    await workspace.delete(file);
    return `Deleted ${file.label}.`;
  },
});
