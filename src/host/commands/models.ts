import * as vscode from 'vscode';
import { RetraceError } from '../../engine/errors';
import { askKey } from '../addModel/questions';
import { keyOrigin } from '../modelList';
import { pickModel } from '../picks';
import { parseArgument, schemas } from './arguments';
import { target, type CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.selectModel`: for one session, or as the default; without a model it asks, for the current session. */
export async function selectModel(host: CommandHost, raw: unknown): Promise<{ model: string }> {
  const args = parseArgument(schemas.selectModel, raw);
  if (args.model !== undefined && args.sessionId === undefined) {
    await host.models.select(args.model);
    return { model: args.model };
  }
  const { session } = await target(host, args.sessionId);
  const title = vscode.l10n.t('Which model shall answer in this session?');
  const model = args.model ?? chosen(await pickModel(host.models.list(), title));
  await host.models.select(model, session.id);
  return { model };
}

/** `retrace.setApiKey`: keeps a key for the server of a model; an empty one is forgotten. It asks for what is missing. */
export async function setApiKey(host: CommandHost, raw: unknown): Promise<{ model: string }> {
  const args = parseArgument(schemas.setApiKey, raw);
  const model = args.model ?? (await askModel(host));
  const origin = host.models.originOf(model);
  const key = args.key ?? chosen(await askKey(origin));
  await host.models.setKey(model, key);
  return { model };
}

async function askModel(host: CommandHost): Promise<string> {
  const models = host.models.list().filter((model) => keyOrigin(model) !== undefined);
  if (models.length === 0) {
    throw new RetraceError(
      'nothing_to_do',
      vscode.l10n.t('No model takes a key. Add one in the setting retrace.models first.'),
    );
  }
  return chosen(await pickModel(models, vscode.l10n.t('For which model is the API key?')));
}
