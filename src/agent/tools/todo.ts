import { z } from 'zod';
import { defineTool } from './tool';

export const todo = defineTool({
  name: 'todo',
  description:
    'Keeps the to-do list the user sees. Send the whole list each time: it replaces the one before. Use it for work of three steps or more, and tick off each step when it is done.',
  shape: {
    items: z
      .array(z.object({ text: z.string().min(1), done: z.boolean() }))
      .max(50)
      .describe('Every item, those that are done too.'),
  },
  needs: 'ask',
  writes: false,
  async run({ items }, _, report) {
    report.todo(items);
    const done = items.filter((item) => item.done).length;
    return `The list is kept: ${done} of ${items.length} done.`;
  },
});
