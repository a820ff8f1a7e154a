import type { NodePowers } from './files/powers';

/** Loads what only a host with the files on its own disk can do; in a web worker that module is empty. */
export async function loadNodePowers(): Promise<NodePowers | undefined> {
  const loaded: object = await import('../node/main');
  return hasPowers(loaded) ? loaded.createNodePowers() : undefined;
}

function hasPowers(loaded: object): loaded is { createNodePowers: () => NodePowers } {
  return 'createNodePowers' in loaded;
}
