import * as v from 'valibot';

const notebook = v.object({ cells: v.array(v.looseObject({ cell_type: v.string() })) });

/** Says why bytes are no Jupyter notebook that an editor opens, or nothing; other files are none of its business. */
export function notebookProblem(name: string, bytes: Uint8Array): string | undefined {
  // An empty one opens as a notebook without cells.
  if (!name.toLowerCase().endsWith('.ipynb') || bytes.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return v.is(notebook, value) ? undefined : 'it would have no list of cells, each with a type';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
