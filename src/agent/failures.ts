/**
 * A model that cannot be asked, in words for people. Nothing has left the machine unless the text comes from an answer.
 */
export class ModelProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelProblem';
  }
}

/** Says whether an error speaks for itself. The host has a class of its own for it, so it is known by its name. */
export function isModelProblem(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ModelProblem';
}

/**
 * A tool call that cannot be carried out. It carries the name of the engine's `ToolError`: the agent is bundled on its
 * own, so the two sides of the border never share a class and know each other's errors by name.
 */
export class ToolFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ToolError';
  }
}

/** Says whether an error is an answer meant for the model. */
export function isToolError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ToolError';
}

/** Says whether a person or a rule refused the call. */
export function isDenied(error: unknown): boolean {
  return isToolError(error) && 'denied' in error && error.denied === true;
}
