import type {
  LanguageModelV3FilePart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import { toBase64 } from '../core/base64';

/** Returns the image a part of a prompt holds, or nothing for any other part. */
export function promptImage(
  part: LanguageModelV3TextPart | LanguageModelV3FilePart,
): { readonly base64: string; readonly mime: string } | undefined {
  if (part.type !== 'file' || !part.mediaType.startsWith('image/')) return undefined;
  const { data } = part;
  if (data instanceof URL) return undefined;
  return { base64: typeof data === 'string' ? data : toBase64(data), mime: part.mediaType };
}

/** Returns what a tool answered, in words. */
export function resultText({ output }: LanguageModelV3ToolResultPart): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'execution-denied':
      return output.reason ?? 'The call was refused.';
    case 'content':
      return output.value.flatMap((item) => (item.type === 'text' ? item.text : [])).join('\n');
  }
}
