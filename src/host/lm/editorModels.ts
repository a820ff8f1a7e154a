import * as vscode from 'vscode';
import type {
  AskEditorModel,
  EditorAnswer,
  EditorContent,
  EditorMessage,
} from '../../agent/editor/port';

/** Finds the models the editor offers under a name: `vendor/id`, as *Add Model…* writes it, else an id or a family. */
export async function findEditorModels(name: string): Promise<readonly vscode.LanguageModelChat[]> {
  const models = await vscode.lm.selectChatModels();
  const named = [
    editorModelName,
    (model: vscode.LanguageModelChat) => model.id,
    (model: vscode.LanguageModelChat) => `${model.vendor}/${model.family}`,
    (model: vscode.LanguageModelChat) => model.family,
  ];
  for (const nameOf of named) {
    const found = models.filter((model) => nameOf(model) === name);
    if (found.length > 0) return found;
  }
  return [];
}

/** What a setting calls a model of the editor. */
export function editorModelName(model: vscode.LanguageModelChat): string {
  return `${model.vendor}/${model.id}`;
}

/** Asks a model the editor offers. VS Code itself asks the user for consent at the first request. */
export const askEditorModel: AskEditorModel = async function* (request) {
  const [model] = await findEditorModels(request.model);
  if (model === undefined) {
    throw problem(
      vscode.l10n.t(
        'The editor offers no model "{0}". It may need an extension, or signing in to one. Choose another model, or add one with the command "Retrace: Add Model".',
        request.model,
      ),
    );
  }
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (request.signal.aborted) cancel();
  else request.signal.addEventListener('abort', cancel, { once: true });
  try {
    const response = await model.sendRequest(
      request.messages.map(toMessage),
      {
        justification: vscode.l10n.t('Retrace answers your message with this model.'),
        tools: request.tools.map(({ name, description, schema }) => ({
          name,
          description,
          inputSchema: schema,
        })),
      },
      source.token,
    );
    for await (const part of response.stream) yield* toAnswer(part);
  } catch (error) {
    throw explained(error, model);
  } finally {
    request.signal.removeEventListener('abort', cancel);
    source.dispose();
  }
};

function toAnswer(part: unknown): EditorAnswer[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return [{ type: 'call', callId: part.callId, name: part.name, input: part.input }];
  }
  return [];
}

function toMessage({ role, content }: EditorMessage): vscode.LanguageModelChatMessage {
  return role === 'assistant'
    ? vscode.LanguageModelChatMessage.Assistant(content.flatMap(assistantPart))
    : vscode.LanguageModelChatMessage.User(content.flatMap(userPart));
}

function assistantPart(
  part: EditorContent,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] {
  return part.type === 'call'
    ? [new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input)]
    : textPart(part);
}

function userPart(
  part: EditorContent,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart)[] {
  if (part.type !== 'result') return textPart(part);
  const text = new vscode.LanguageModelTextPart(part.text);
  return [new vscode.LanguageModelToolResultPart(part.callId, [text])];
}

function textPart(part: EditorContent): vscode.LanguageModelTextPart[] {
  if (part.type === 'text') return [new vscode.LanguageModelTextPart(part.text)];
  // The interface that the oldest supported VS Code has takes no pictures.
  return part.type === 'image'
    ? [new vscode.LanguageModelTextPart('[A picture was attached, which cannot be sent here.]')]
    : [];
}

/** Tells apart what a person can do something about. */
function explained(error: unknown, model: vscode.LanguageModelChat): Error {
  const said = error instanceof Error && error.message !== '' ? ` — ${error.message}` : '';
  if (!(error instanceof vscode.LanguageModelError)) return problem(failed(model) + said);
  switch (error.code) {
    case 'NoPermissions':
      return problem(
        vscode.l10n.t(
          'Retrace may not use the model "{0}": VS Code asks for your consent, and it was not given. Send the message again and allow it, or change it with the command "Manage Language Model Access".',
          model.name,
        ) + said,
      );
    case 'Blocked':
      return problem(
        vscode.l10n.t(
          'The model "{0}" refuses requests for now: its quota is used up, or it was blocked. Wait a while, or choose another model.',
          model.name,
        ) + said,
      );
    case 'NotFound':
      return problem(
        vscode.l10n.t(
          'The model "{0}" is no longer there. Choose another model and regenerate.',
          model.name,
        ) + said,
      );
    default: {
      const cause = error.cause instanceof Error ? ` — ${error.cause.message}` : said;
      return problem(failed(model) + cause);
    }
  }
}

function failed(model: vscode.LanguageModelChat): string {
  return vscode.l10n.t('The model "{0}" of the editor failed.', model.name);
}

/** The agent knows such an error by its name: its class is in another bundle. */
function problem(message: string): Error {
  const error = new Error(message);
  error.name = 'ModelProblem';
  return error;
}
