import * as vscode from 'vscode';
import { sameBytes } from '../../core/bytes';

/** The text an editor shows for some bytes, and whether saving that very text gives the bytes back. */
export interface Decoded {
  /** Without a byte order mark; line ends as in the bytes. */
  readonly text: string;
  readonly exact: boolean;
}

const mark = '\uFEFF';

/** Returns the bytes VS Code saves a text as; the encoding's name says whether a byte order mark belongs to it. */
export async function encodeText(text: string, encoding: string): Promise<Uint8Array> {
  if (encoding === 'utf8') return new TextEncoder().encode(text);
  return vscode.workspace.encode(text, { encoding });
}

/**
 * Returns the text of bytes in an encoding, or in the one VS Code guesses for a file; undefined when it takes them for no
 * text at all.
 */
export async function decodeBytes(
  bytes: Uint8Array,
  by: string | vscode.Uri,
): Promise<Decoded | undefined> {
  let text: string;
  try {
    text = await (typeof by === 'string'
      ? vscode.workspace.decode(bytes, { encoding: by })
      : vscode.workspace.decode(bytes, { uri: by }));
  } catch {
    // It throws for binary content only, which is the answer.
    return undefined;
  }
  if (text.startsWith(mark)) text = text.slice(1);
  return {
    text,
    exact: typeof by === 'string' && sameBytes(await encodeText(text, by), bytes),
  };
}
