import type { Attachment, GraphNode, Part } from './node';
import { requestNodes } from './requestNodes';

const charactersPerToken = 4;
/** What an image costs with most models, whatever its size in bytes. */
export const imageTokens = 1500;
/** A role, a few separators: what each message costs beside its text. */
export const messageTokens = 4;
/** No more of an attached file is sent. */
export const maxAttachmentBytes = 256 * 1024;

/**
 * Returns how many characters of a Western text a text weighs as much as: each one of Chinese, Japanese and Korean costs
 * about a token of its own.
 */
export function charactersOf(text: string): number {
  const wide = text.match(/[\u2E80-\uD7FF\uF900-\uFAFF\uFF00-\uFFEF]/gu)?.length ?? 0;
  return text.length + wide * (charactersPerToken - 1);
}

export function textTokens(characters: number): number {
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
      return textTokens(charactersOf(part.text));
    case 'tool': {
      // `undefined` has no JSON, whatever the type says.
      const input = part.input === undefined ? '' : JSON.stringify(part.input);
      return (
        textTokens(charactersOf(part.name + input) + charactersOf(part.output)) + messageTokens
      );
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
      tokens += textTokens(charactersOf(node.text));
      if (node.role === 'user') {
        for (const attachment of node.attachments) tokens += attachmentTokens(attachment, sizeOf);
      }
    }
  }
  return tokens;
}
