import type { Attachment, GraphNode, Part } from './node';
import { requestNodes } from './requestNodes';

const charactersPerToken = 4;
/** What an image costs with most models, whatever its size in bytes. */
const imageTokens = 1500;
/** A role, a few separators: what each message costs beside its text. */
const messageTokens = 4;
/** No more of an attached file is sent. */
export const maxAttachmentBytes = 256 * 1024;

function textTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

function attachmentTokens(
  attachment: Attachment,
  sizeOf: (uri: string) => number | undefined,
): number {
  if ('uri' in attachment) {
    return textTokens(Math.min(sizeOf(attachment.uri) ?? 0, maxAttachmentBytes));
  }
  if (attachment.mime.startsWith('image/')) return imageTokens;
  return textTokens(Math.min((attachment.base64.length * 3) / 4, maxAttachmentBytes));
}

function partTokens(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return textTokens(part.text.length);
    case 'tool': {
      // `undefined` has no JSON, whatever the type says.
      const input = part.input === undefined ? '' : JSON.stringify(part.input);
      return textTokens(part.name.length + input.length + part.output.length) + messageTokens;
    }
    case 'todo':
      return 0;
  }
}

/**
 * Estimates the tokens of a request made of these ancestors of a head. `sizeOf` gives the bytes of an attached file
 * where they are known.
 */
export function estimateTokens(
  history: readonly GraphNode[],
  sizeOf: (uri: string) => number | undefined = () => undefined,
): number {
  let tokens = 0;
  for (const node of requestNodes(history)) {
    tokens += messageTokens;
    if (node.role === 'assistant') {
      for (const part of node.parts) tokens += partTokens(part);
    } else {
      tokens += textTokens(node.text.length);
      if (node.role === 'user') {
        for (const attachment of node.attachments) tokens += attachmentTokens(attachment, sizeOf);
      }
    }
  }
  return tokens;
}
