import * as vscode from 'vscode';
import type { ModelConfig } from '../engine/ports';
import type { ChatModels } from './chat/services';
import { keyOrigin } from './modelList';
import type { Models } from './models';

/** The models in the shape the chat shows them. */
export function chatModels(models: Models): ChatModels {
  return {
    list: async (session) => {
      const current = models.current(session.id).id;
      return models.list().map((model) => ({
        id: model.id,
        label: modelLabel(model),
        detail: modelDetail(model),
        current: model.id === current,
      }));
    },
    currentOf: (session) => {
      const model = models.current(session.id);
      return {
        id: model.id,
        label: modelLabel(model),
        practice: model.provider === 'practice',
        ...(model.contextWindow !== undefined && { contextWindow: model.contextWindow }),
      };
    },
    labelOf: (id) => {
      const found = models.list().find((model) => model.id === id);
      return found === undefined ? id : modelLabel(found);
    },
    select: (session, id) => models.select(id, session.id),
    onChange: (listener) => models.changed.on(listener),
  };
}

export function modelLabel(model: ModelConfig): string {
  return model.label ?? model.id;
}

/** What a model is, in a line: which one, and whose. */
export function modelDetail(model: ModelConfig): string {
  if (model.provider === 'practice')
    return vscode.l10n.t(
      'Built in, no AI: follows plain instructions, needs no key and no network',
    );
  const address = keyOrigin(model);
  return address === undefined ? model.model : `${model.model} · ${address}`;
}
