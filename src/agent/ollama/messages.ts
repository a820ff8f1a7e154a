import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { promptImage, resultText } from '../promptParts';

/** A message as `/api/chat` takes it. */
export interface OllamaMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: unknown };
  }[];
  readonly tool_name?: string;
}

/** Puts a prompt into Ollama's form. A call carries no id there: its result follows by order and name. */
export function ollamaMessages(prompt: LanguageModelV3Prompt): OllamaMessage[] {
  return prompt.flatMap((message): OllamaMessage[] => {
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.content }];
      case 'user': {
        const images = message.content.flatMap((part) => promptImage(part)?.base64 ?? []);
        const content = message.content.flatMap((part) => (part.type === 'text' ? part.text : []));
        return [
          { role: 'user', content: content.join('\n\n'), ...(images.length > 0 && { images }) },
        ];
      }
      case 'assistant':
        return [assistantMessage(message.content)];
      case 'tool':
        return message.content.flatMap((part) =>
          part.type === 'tool-result'
            ? [{ role: 'tool' as const, content: resultText(part), tool_name: part.toolName }]
            : [],
        );
    }
  });
}

function assistantMessage(
  content: Extract<LanguageModelV3Prompt[number], { role: 'assistant' }>['content'],
): OllamaMessage {
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  const thinking = content.flatMap((part) => (part.type === 'reasoning' ? part.text : [])).join('');
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ function: { name: part.toolName, arguments: part.input } }] : [],
  );
  return {
    role: 'assistant',
    content: text,
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** The tools in Ollama's form; nothing where there are none, for some models refuse an empty list. */
export function ollamaTools(tools: LanguageModelV3CallOptions['tools']) {
  const list = (tools ?? []).flatMap((tool) =>
    tool.type === 'function'
      ? [
          {
            type: 'function',
            function: {
              name: tool.name,
              description: tool.description ?? '',
              parameters: tool.inputSchema,
            },
          },
        ]
      : [],
  );
  return list.length === 0 ? {} : { tools: list };
}
