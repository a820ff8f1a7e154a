import * as v from 'valibot';

const notebook = v.object({ cells: v.array(v.looseObject({ cell_type: v.string() })) });

/** Says whether a file is a Jupyter notebook by its name: its lines are not what people see of it. */
export function isNotebook(name: string): boolean {
  return name.toLowerCase().endsWith('.ipynb');
}

/** Says why bytes are no Jupyter notebook that an editor opens, or nothing; other files are none of its business. */
export function notebookProblem(name: string, bytes: Uint8Array): string | undefined {
  // An empty one opens as a notebook without cells.
  if (!isNotebook(name) || bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return v.is(notebook, value) ? undefined : 'it would have no list of cells, each with a type';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
