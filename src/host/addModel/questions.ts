import * as vscode from 'vscode';
import { editorModelName } from '../lm/editorModels';
import { otherServer, presets, type Preset } from './presets';
import type { ServerModel } from './serverModels';

/** Where the new model is to come from. */
export type Source =
  | { readonly kind: 'server'; readonly preset: Preset }
  | { readonly kind: 'editor'; readonly model: vscode.LanguageModelChat };

const title = (): string => vscode.l10n.t('Add Model');

/** Asks where the model is; undefined when nothing was chosen. */
export async function askSource(
  editorModels: readonly vscode.LanguageModelChat[],
): Promise<Source | undefined> {
  const servers = [...presets, otherServer].map((preset) => ({
    label: preset === otherServer ? vscode.l10n.t('Any other server') : preset.name,
    description: preset.own ? vscode.l10n.t('your own server') : preset.baseUrl,
    detail:
      preset === otherServer
        ? vscode.l10n.t('It must speak the protocol of OpenAI (/chat/completions).')
        : '',
    source: { kind: 'server', preset } as const,
  }));
  const offered = editorModels.map((model) => ({
    label: model.name,
    description: vscode.l10n.t('offered by the editor'),
    detail: editorModelName(model),
    source: { kind: 'editor', model } as const,
  }));
  const chosen = await vscode.window.showQuickPick([...servers, ...offered], {
    title: title(),
    placeHolder: vscode.l10n.t('Where is the model?'),
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.source;
}

/** Asks for the address of a server. */
export async function askAddress(preset: Preset): Promise<string | undefined> {
  const given = await vscode.window.showInputBox({
    title: title(),
    prompt: vscode.l10n.t('Address of the server, up to and including /v1 where it has that'),
    value: preset.baseUrl,
    ignoreFocusOut: true,
    validateInput: (value) =>
      isAddress(value.trim())
        ? undefined
        : vscode.l10n.t('This must be an address that begins with http:// or https://.'),
  });
  return given?.trim().replace(/\/+$/u, '');
}

function isAddress(value: string): boolean {
  return /^https?:\/\/./iu.test(value) && URL.canParse(value);
}

/** Asks for the key of a server; empty for none. */
export async function askKey(origin: string): Promise<string | undefined> {
  const kept = vscode.l10n.t(
    'It is kept in the secret storage of VS Code and sent to this server only. Leave it empty for none.',
  );
  return vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', origin),
    prompt: secretsMayBeLost()
      ? `${kept} ${vscode.l10n.t('Here VS Code runs in a browser and may forget it when the page is loaded anew. It is kept nowhere else.')}`
      : kept,
    password: true,
    ignoreFocusOut: true,
  });
}

/** Services that serve VS Code to browsers and keep secrets with the account. */
const keepers: readonly string[] = [
  'vscode.dev',
  'insiders.vscode.dev',
  'github.dev',
  'codespaces',
];

/** Says whether VS Code may have no lasting place for secrets: it tells nobody, but no such place is in a plain browser. */
function secretsMayBeLost(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web && !keepers.includes(vscode.env.appHost);
}

/** Asks which of a server's models it is to be. A name that is not in the list may be typed. */
export async function askListed(models: readonly ServerModel[]): Promise<ServerModel | undefined> {
  const other = vscode.l10n.t('Another name…');
  const items = [...models]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((model) => ({ label: model.name, description: described(model), model }));
  const chosen = await vscode.window.showQuickPick(
    [...items, { label: other, description: '', model: undefined }],
    {
      title: title(),
      placeHolder: vscode.l10n.t('Which model?'),
      ignoreFocusOut: true,
    },
  );
  if (chosen === undefined) return undefined;
  return chosen.model ?? askName('');
}

function described({ contextWindow, tools }: ServerModel): string {
  return [
    contextWindow === undefined ? '' : vscode.l10n.t('{0} tokens', contextWindow),
    tools === false ? vscode.l10n.t('without tools') : '',
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

/** Asks for the name of a model; `reason` says why there is no list. */
export async function askName(reason: string): Promise<ServerModel | undefined> {
  const name = await vscode.window.showInputBox({
    title: title(),
    prompt: [vscode.l10n.t('The name the server knows the model by'), reason]
      .filter((text) => text !== '')
      .join(' · '),
    ignoreFocusOut: true,
    validateInput: (value) =>
      value.trim() === '' ? vscode.l10n.t('A name is needed.') : undefined,
  });
  return name === undefined ? undefined : { name: name.trim() };
}

/** What to do with a model that did not answer. */
export type AfterFailure = 'add' | 'without tools' | 'key';

/** Tells why a model did not answer and asks what to do. */
export async function askAfterFailure(
  reason: string,
  noTools: boolean,
  takesKey: boolean,
): Promise<AfterFailure | undefined> {
  const choices: { label: string; answer: AfterFailure }[] = [
    ...(noTools
      ? [{ label: vscode.l10n.t('Add It to Chat Without Tools'), answer: 'without tools' } as const]
      : []),
    ...(takesKey && !noTools
      ? [{ label: vscode.l10n.t('Enter Another Key'), answer: 'key' } as const]
      : []),
    { label: vscode.l10n.t('Add It All the Same'), answer: 'add' },
  ];
  const chosen = await vscode.window.showQuickPick(choices, {
    title: vscode.l10n.t('The model did not answer'),
    placeHolder: reason,
    ignoreFocusOut: true,
  });
  return chosen?.answer;
}
