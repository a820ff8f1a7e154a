import type { ModelMessage } from 'ai';
import { charactersOf, imageTokens, messageTokens, textTokens } from '../core/estimate';

/** Estimates the tokens of messages as they go out. */
export function messagesTokens(messages: readonly ModelMessage[]): number {
  let tokens = 0;
  for (const { content } of messages) {
    tokens += messageTokens;
    if (typeof content === 'string') {
      tokens += textTokens(charactersOf(content));
      continue;
    }
    for (const part of content) {
      switch (part.type) {
        case 'text':
        case 'reasoning':
          tokens += textTokens(charactersOf(part.text));
          break;
        case 'tool-call':
          tokens +=
            textTokens(charactersOf(part.toolName + JSON.stringify(part.input))) + messageTokens;
          break;
        case 'tool-result':
          tokens += textTokens(charactersOf(JSON.stringify(part.output))) + messageTokens;
          break;
        case 'image':
        case 'file':
          tokens += imageTokens;
          break;
        default:
          break;
      }
    }
  }
  return tokens;
}
