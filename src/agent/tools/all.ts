import { deleteFile } from './delete';
import { edit } from './edit';
import { list } from './list';
import { multiEdit } from './multiEdit';
import { problems } from './problems';
import { read } from './read';
import { rename } from './rename';
import { run } from './run';
import { search } from './search';
import { todo } from './todo';
import type { AgentTool } from './tool';
import { write } from './write';

export const allTools: readonly AgentTool[] = [
  read,
  list,
  search,
  edit,
  multiEdit,
  write,
  deleteFile,
  rename,
  run,
  problems,
  todo,
];
