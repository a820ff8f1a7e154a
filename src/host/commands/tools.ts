import * as vscode from 'vscode';
import { foreignTools } from '../lm/editorTools';
import { settings } from '../settings';
import { parseArgument, schemas } from './arguments';
import type { CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.selectTools`: which tools of other extensions and MCP servers the agent may use; without a list it asks. */
export async function selectTools(
  _host: CommandHost,
  raw: unknown,
): Promise<{ tools: readonly string[] }> {
  const args = parseArgument(schemas.selectTools, raw);
  const tools = args.tools ?? chosen(await pickTools());
  await settings.setTools(tools);
  return { tools };
}

async function pickTools(): Promise<string[] | undefined> {
  const enabled = new Set(settings.tools());
  const offered = foreignTools();
  const items = offered.map(({ name, description }) => ({
    label: name,
    detail: description.split('\n', 1)[0] ?? '',
    picked: enabled.has(name),
  }));
  const title = vscode.l10n.t('Which tools may the agent use?');
  const placeHolder =
    items.length === 0
      ? vscode.l10n.t('No extension and no MCP server offers a tool.')
      : vscode.l10n.t('Tools of other extensions and MCP servers; each use is asked about first');
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    canPickMany: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  // One that is not offered just now stays switched on.
  const absent = [...enabled].filter((name) => !offered.some((tool) => tool.name === name));
  return [...absent, ...picked.map(({ label }) => label)];
}
