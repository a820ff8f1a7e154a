/** What a process that will be killed says, a line each, as soon as it is so. */
export type Said =
  | { readonly type: 'ready' }
  /** About to be sent: may be found, need not. */
  | { readonly type: 'try'; readonly text: string }
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'node'; readonly session: string; readonly id: string; readonly text?: string }
  | { readonly type: 'move'; readonly session: string; readonly id: string };

export interface FoundSession {
  readonly id: string;
  readonly nodes: readonly { readonly id: string; readonly text?: string }[];
  readonly moves: readonly string[];
  /** How many of head and files head name no node. */
  readonly lost: number;
}

/** What the next start found, and whether it could work. */
export interface Found {
  readonly type: 'found';
  readonly sessions: readonly FoundSession[];
  /** Files of the workspace that are half written once every session is open. */
  readonly tornFiles: readonly string[];
  readonly usable: boolean;
  readonly told: readonly string[];
}

/** Returns bytes of which no part passes for the whole. */
export function content(token: string, size: number): Uint8Array {
  const line = `${token} ${size}\n`;
  return new TextEncoder().encode(
    `${line}${line.repeat(Math.ceil(size / line.length))}end ${token}\n`,
  );
}

/** Says whether bytes are what {@link content} once made. */
export function isWhole(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes);
  const [, token = '', size = '0'] = /^(\S+) (\d+)\n/u.exec(text) ?? [];
  return token !== '' && text === new TextDecoder().decode(content(token, Number(size)));
}
