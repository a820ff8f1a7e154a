import * as vscode from 'vscode';
import type { ModelConfig } from '../../engine/ports';
import {
  askAddress,
  askAfterFailure,
  askKey,
  askListed,
  askName,
  askSource,
} from '../addModel/questions';
import { freeId, type Preset } from '../addModel/presets';
import { describeModel, serverModels, type ServerModel } from '../addModel/serverModels';
import { tryModel } from '../addModel/tryModel';
import { editorModelName } from '../lm/editorModels';
import { loadTester } from '../loadAgent';
import { keyOrigin, toConfig, type ModelEntry } from '../modelList';
import { parseArgument, schemas } from './arguments';
import type { CommandHost } from './host';
import { chosen } from './moves';

/** `retrace.addModel`: adds an entry to the setting; without one it asks, step by step, and sends a test message. */
export async function addModel(host: CommandHost, raw: unknown): Promise<{ model: string }> {
  const args = parseArgument(schemas.addModel, raw);
  const { models } = host;
  if (args.model !== undefined) {
    await models.add(args.model);
    return { model: args.model.id };
  }
  const entry = await ask(host);
  await models.add(entry);
  await models.select(entry.id);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The model {0} was added and answers from now on.', entry.id),
  );
  return { model: entry.id };
}

async function ask(host: CommandHost): Promise<ModelEntry> {
  const source = chosen(await askSource(await vscode.lm.selectChatModels()));
  const taken = new Set(host.models.list().map(({ id }) => id));
  if (source.kind === 'server') return askServer(host, source.preset, taken);
  const { model } = source;
  const entry: ModelEntry = {
    id: freeId(model.id, taken),
    name: model.name,
    provider: 'vscode-lm',
    model: editorModelName(model),
    ...(model.maxInputTokens > 0 && { contextWindow: model.maxInputTokens }),
  };
  return proven(host, entry);
}

async function askServer(
  host: CommandHost,
  preset: Preset,
  taken: ReadonlySet<string>,
): Promise<ModelEntry> {
  const { provider } = preset;
  const baseUrl = preset.own ? chosen(await askAddress(preset)) : preset.baseUrl;
  const { origin } = new URL(baseUrl);
  if (preset.needsKey && (await host.models.keyOf(origin)) === undefined)
    await newKey(host, origin);
  const model = await askServersModel(host, { provider, baseUrl, origin });
  return proven(host, {
    id: freeId(model.name, taken),
    provider,
    baseUrl,
    model: model.name,
    ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
    ...(model.tools === false && { tools: false }),
  });
}

async function newKey(host: CommandHost, origin: string): Promise<void> {
  await host.models.setOriginKey(origin, chosen(await askKey(origin)));
}

interface Place {
  readonly provider: ModelConfig['provider'];
  readonly baseUrl: string;
  readonly origin: string;
}

/** Asks the server for its models, and for a key as long as it refuses the one it was sent. */
async function askServersModel(host: CommandHost, place: Place): Promise<ServerModel> {
  for (;;) {
    const key = await host.models.keyOf(place.origin);
    const server = { ...place, key };
    const answer = await waiting(vscode.l10n.t('Asking the server for its models…'), (signal) =>
      serverModels(server, fetch, signal),
    );
    switch (answer.kind) {
      case 'key':
        await newKey(host, place.origin);
        break;
      case 'none':
        return chosen(
          await askName(
            vscode.l10n.t('The server gave no list of its models ({0}).', answer.reason),
          ),
        );
      case 'models': {
        const model = chosen(
          await (answer.models.length === 0
            ? askName(vscode.l10n.t('The list of its models is empty.'))
            : askListed(answer.models)),
        );
        return waiting(vscode.l10n.t('Asking the server for its models…'), (signal) =>
          describeModel(server, model, fetch, signal),
        );
      }
    }
  }
}

/** Sends the model a test message and returns the entry that is to be added. */
async function proven(host: CommandHost, entry: ModelEntry): Promise<ModelEntry> {
  const config = toConfig(entry);
  const origin = keyOrigin(config);
  for (;;) {
    const key = origin === undefined ? undefined : await host.models.keyOf(origin);
    let noTools = false;
    const agent = await loadTester(() => (noTools = true));
    const failure = await waiting(vscode.l10n.t('Asking {0} for a word…', entry.model), (signal) =>
      tryModel(agent, config, key, fetch, signal),
    );
    if (failure === undefined) return entry;
    switch (chosen(await askAfterFailure(failure, noTools, origin !== undefined))) {
      case 'add':
        return entry;
      case 'without tools':
        return { ...entry, tools: false };
      case 'key':
        if (origin !== undefined) await newKey(host, origin);
        break;
    }
  }
}

/** Runs work that may take a while under a notification that can cancel it. Cancelled, it throws `cancelled`. */
async function waiting<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_, token) => {
      token.onCancellationRequested(() => controller.abort());
      return work(controller.signal);
    },
  );
  return chosen(controller.signal.aborted ? undefined : { result }).result;
}
