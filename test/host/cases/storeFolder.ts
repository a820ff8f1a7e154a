import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assert } from 'chai';

/** Where this VS Code keeps what the extension stores. */
export function storeFolder(): string {
  const { RETRACE_BRIDGE: bridge, VSCODE_CODE_CACHE_PATH: cache } = process.env;
  const home =
    bridge === undefined
      ? join(cache ?? '', '..', '..', 'User')
      : join(dirname(bridge), 'data', 'User');
  const found = join(home, 'globalStorage', 'retrace.retrace', 'store');
  assert.isTrue(existsSync(found), found);
  return found;
}
