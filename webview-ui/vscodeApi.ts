interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

// VS Code hands the object out once per page; it stays in this module so that nothing else can post.
const api = acquireVsCodeApi();

/** Sends one frame to the host. */
export function postToHost(frame: object): void {
  api.postMessage(frame);
}

/** Returns what the page kept over its last life, of whatever shape. */
export function loadKept(): unknown {
  return api.getState();
}

/** Keeps what the page wants to find again after it was hidden or reloaded. */
export function keep(state: unknown): void {
  api.setState(state);
}
