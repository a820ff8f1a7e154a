import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Prompt,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider';
import { isRecord } from '../arguments';
import { promptImage, resultText } from '../promptParts';
import { StreamWriter } from '../streamWriter';
import type { AskEditorModel, EditorContent, EditorMessage, EditorRequest } from './port';

export interface EditorModelOptions {
  readonly model: string;
  readonly ask: AskEditorModel;
  readonly onCall: () => void;
}

/** A model the editor offers, in the SDK's form. */
export function editorModel(options: EditorModelOptions): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'vscode-lm',
    modelId: options.model,
    supportedUrls: {},
    doGenerate: async () => {
      throw new UnsupportedFunctionalityError({ functionality: 'answers that are not streamed' });
    },
    doStream: async (call) => {
      options.onCall();
      const gone = new AbortController();
      const signal =
        call.abortSignal === undefined
          ? gone.signal
          : AbortSignal.any([call.abortSignal, gone.signal]);
      const request = { ...editorRequest(call), model: options.model, signal };
      return { stream: toStream(options.ask(request), gone) };
    },
  };
}

function toStream(
  answer: ReturnType<AskEditorModel>,
  gone: AbortController,
): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    async start(controller) {
      const writer = new StreamWriter((part) => controller.enqueue(part));
      writer.begin();
      try {
        for await (const part of answer) {
          if (part.type === 'text') writer.say(part.text);
          else writer.call(part.callId, part.name, JSON.stringify(part.input ?? {}));
        }
        writer.end('stop');
      } catch (error) {
        // As a part of the stream: to end it by an error would throw away what nobody has read yet.
        writer.fail(error);
      }
      controller.close();
    },
    cancel: () => gone.abort(),
  });
}

function editorRequest(
  call: LanguageModelV3CallOptions,
): Pick<EditorRequest, 'messages' | 'tools'> {
  const tools = (call.tools ?? []).flatMap((tool) =>
    tool.type === 'function'
      ? [{ name: tool.name, description: tool.description ?? '', schema: tool.inputSchema }]
      : [],
  );
  return { messages: editorMessages(call.prompt), tools };
}

/** The editor's models know two roles only: instructions and results of tools go as the user's. */
function editorMessages(prompt: LanguageModelV3Prompt): EditorMessage[] {
  return prompt.map((message): EditorMessage => {
    switch (message.role) {
      case 'system':
        return { role: 'user', content: [{ type: 'text', text: message.content }] };
      case 'user':
        return { role: 'user', content: message.content.flatMap(userContent) };
      case 'assistant':
        return {
          role: 'assistant',
          content: message.content.flatMap((part): EditorContent[] => {
            if (part.type === 'text') return [{ type: 'text', text: part.text }];
            if (part.type !== 'tool-call') return [];
            const input = isRecord(part.input) ? part.input : {};
            return [{ type: 'call', callId: part.toolCallId, name: part.toolName, input }];
          }),
        };
      case 'tool':
        return {
          role: 'user',
          content: message.content.flatMap((part): EditorContent[] =>
            part.type === 'tool-result'
              ? [{ type: 'result', callId: part.toolCallId, text: resultText(part) }]
              : [],
          ),
        };
    }
  });
}

function userContent(
  part: Extract<LanguageModelV3Prompt[number], { role: 'user' }>['content'][number],
): EditorContent[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  const image = promptImage(part);
  return image === undefined ? [] : [{ type: 'image', ...image }];
}
