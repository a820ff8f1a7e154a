import { deleteFile } from './delete';
import { edit } from './edit';
import { list } from './list';
import { read } from './read';
import { rename } from './rename';
import { run } from './run';
import { search } from './search';
import type { AgentTool } from './tool';
import { write } from './write';

export const allTools: readonly AgentTool[] = [
  read,
  list,
  search,
  edit,
  write,
  deleteFile,
  rename,
  run,
];
