// Offers VS Code a model that reads a.txt through the tools it is given, then says what it was told; or says nothing.
const { TextEncoder } = require('node:util');
const vscode = require('vscode');

const describe = (id) => ({
  id,
  name: id,
  family: 'test',
  version: '1',
  maxInputTokens: 10000,
  maxOutputTokens: 1000,
  capabilities: { toolCalling: true },
});

function resultOf(message) {
  return message.content.find((part) => part instanceof vscode.LanguageModelToolResultPart);
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerTool('retrace_test_touch', {
      async invoke({ input }) {
        const uri = vscode.Uri.joinPath(
          vscode.workspace.workspaceFolders[0].uri,
          `${input.name}.txt`,
        );
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('touched'));
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart('done so')]);
      },
    }),
    vscode.lm.registerLanguageModelChatProvider('retrace-test', {
      provideLanguageModelChatInformation: async () =>
        ['reader', 'empty', 'blocked', 'tooler'].map(describe),
      provideTokenCount: async () => 1,
      async provideLanguageModelChatResponse(model, messages, options, progress) {
        if (model.id === 'empty') return;
        if (model.id === 'blocked') throw vscode.LanguageModelError.Blocked('quota used up');
        const result = resultOf(messages.at(-1));
        if (model.id === 'tooler' && result === undefined) {
          const offered = options.tools.map(({ name }) => name);
          const call = new vscode.LanguageModelToolCallPart('c1', 'retrace_test_touch', {
            name: 't',
          });
          if (offered.includes('retrace_test_touch')) progress.report(call);
          else progress.report(new vscode.LanguageModelTextPart(`No touch among ${offered}`));
          return;
        }
        if (result === undefined) {
          const tool = options.tools.find(({ name }) => name === 'read');
          progress.report(new vscode.LanguageModelToolCallPart('c1', tool.name, { path: 'a.txt' }));
        } else {
          const text = result.content.map((part) => part.value).join('');
          progress.report(new vscode.LanguageModelTextPart(`It says ${text}`));
        }
      },
    }),
  );
};
