import type * as NodeMain from '../node/main';

/** What only a host with the files on its own disk can do. */
export type NodeParts = typeof NodeMain;

/** Loads what only Node has; in a web worker that module is empty. */
export async function loadNode(): Promise<NodeParts | undefined> {
  const loaded: object = await import('../node/main');
  return hasParts(loaded) ? loaded : undefined;
}

function hasParts(loaded: object): loaded is NodeParts {
  return 'createNodePowers' in loaded;
}
