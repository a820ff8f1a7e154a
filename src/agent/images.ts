import type { ToolPart } from '../core/node';
import type { ModelConfig } from '../engine/ports';

/** A picture as a request holds it. */
export interface Picture {
  readonly base64: string;
  readonly mime: string;
}

/** A larger file is no picture any server takes. */
export const maxImageBytes = 3_500_000;

/** Says whether pictures are sent to a model: to each that is not known to be blind. */
export function seesImages({ provider, images }: ModelConfig): boolean {
  // The interface of the editor that the oldest supported VS Code has takes none, and Practice looks at nothing.
  return images !== false && provider !== 'practice' && provider !== 'vscode-lm';
}

/** Says whether attached pictures are handed on as such: what asks the editor's models knows what they take. */
export function takesImages(config: ModelConfig): boolean {
  return seesImages(config) || (config.provider === 'vscode-lm' && config.images !== false);
}

/** Returns the kind of picture a file is, by how it begins; undefined for any other file. */
export function imageMime(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xFF\xD8\xFF')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}

/** Names a call within a turn; some models use an id twice. */
export function pictureKey({ callId, startedAt }: ToolPart): string {
  return `${startedAt} ${callId}`;
}
