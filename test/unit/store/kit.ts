import type { FileSystem } from '../../../src/engine/ports';
import { SessionStore } from '../../../src/engine/store/sessionStore';
import { FakeLog, FakeRuntime } from '../../fakes/runtime';

export const root = 'memory:/store';

/** Opens a store as a process of its own: its writer's name begins with `process`. */
export function openStore(
  files: FileSystem,
  process = 'p',
  at = root,
  runtime = new FakeRuntime(process),
): Promise<SessionStore> {
  return SessionStore.open(at, { files, runtime, log: new FakeLog() });
}

/** Resolves after a number of microtasks. */
export async function microtasks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await Promise.resolve();
}

/** Returns what a promise came to, without throwing. */
export async function outcome(promise: Promise<unknown>): Promise<'kept' | 'refused'> {
  return promise.then(
    () => 'kept',
    () => 'refused',
  );
}
