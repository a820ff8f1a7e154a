import * as v from 'valibot';
import * as vscode from 'vscode';
import { isRecord } from '../isRecord';
import type { OutsideTool } from '../../engine/ports';

const contributing = v.object({
  isBuiltin: v.optional(v.boolean(), false),
  contributes: v.object({ languageModelTools: v.array(v.object({ name: v.string() })) }),
});

/** Their tools need VS Code's own chat around them. */
const chatExtensions = new Set(['github.copilot-chat', 'github.copilot']);

/** Returns the tools of extensions and of MCP servers. VS Code's own are not among them: they fail outside its chat. */
export function foreignTools(): readonly vscode.LanguageModelToolInformation[] {
  const names = new Set(
    vscode.extensions.all.flatMap(({ id, packageJSON }) => {
      const parsed = v.safeParse(contributing, packageJSON);
      if (!parsed.success || parsed.output.isBuiltin || chatExtensions.has(id.toLowerCase()))
        return [];
      return parsed.output.contributes.languageModelTools.map(({ name }) => name);
    }),
  );
  return vscode.lm.tools.filter(({ name }) => names.has(name) || name.startsWith('mcp_'));
}

/** Returns those of the named tools that are there now, as a turn takes them. */
export function outsideTools(enabled: readonly string[]): readonly OutsideTool[] {
  const wanted = new Set(enabled);
  return foreignTools()
    .filter(({ name }) => wanted.has(name))
    .map(({ name, description, inputSchema }) => ({
      name,
      description,
      schema: isRecord(inputSchema) ? inputSchema : { type: 'object', properties: {} },
      invoke: (input, signal) => invoke(name, input, signal),
    }));
}

async function invoke(name: string, input: object, signal: AbortSignal): Promise<string> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { content } = await vscode.lm.invokeTool(
      name,
      { input, toolInvocationToken: undefined },
      source.token,
    );
    return content.flatMap(textOf).join('\n');
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

function textOf(part: unknown): string[] {
  if (part instanceof vscode.LanguageModelTextPart) return [part.value];
  if (part instanceof vscode.LanguageModelPromptTsxPart) return [JSON.stringify(part.value)];
  return ['[The tool returned something that is no text.]'];
}
