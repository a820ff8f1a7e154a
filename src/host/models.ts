import * as v from 'valibot';
import * as vscode from 'vscode';
import type { SessionId } from '../core/ids';
import { Emitter } from '../engine/emitter';
import { RetraceError } from '../engine/errors';
import type { Log, ModelConfig } from '../engine/ports';
import type { ChosenModel } from '../engine/turnRunner';
import { keyOrigin, parseModels, type ModelEntry } from './modelList';
import { settings } from './settings';

const withId = v.looseObject({ id: v.string() });

const chosenKey = 'retrace.sessionModels';
const chosenSchema = v.fallback(v.array(v.tuple([v.string(), v.string()])), []);
/** Choices remembered per workspace; the oldest go. */
const chosenLimit = 500;

/** The models there are, which one a session uses, and their keys. */
export class Models {
  /** Fired when the list, or what a session uses, may have changed. */
  readonly changed = new Emitter<undefined>();
  readonly #told = new Set<string>();

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly memento: vscode.Memento,
    private readonly log: Log,
  ) {}

  /** Practice, then the setting's models. */
  list(): readonly ModelConfig[] {
    const { models, problems } = parseModels(settings.models());
    for (const problem of problems) this.tell(problem);
    return models;
  }

  /** Returns the model a session uses: its own choice, else the setting, else Practice where that names none. */
  current(sessionId: SessionId): ModelConfig {
    const models = this.list();
    const byId = (id: string | undefined): ModelConfig | undefined =>
      models.find((model) => model.id === id);
    const byDefault = byId(settings.model());
    if (byDefault === undefined) this.tell(`retrace.model names no model: ${settings.model()}`);
    const found = byId(this.choices().get(sessionId)) ?? byDefault ?? models[0];
    if (found === undefined) throw new RetraceError('model', vscode.l10n.t('There is no model.'));
    return found;
  }

  /** Returns a model by id. Throws `not_found`, naming what there is. */
  find(id: string): ModelConfig {
    const models = this.list();
    const found = models.find((model) => model.id === id);
    if (found !== undefined) return found;
    const ids = models.map((model) => model.id).join(', ');
    throw new RetraceError(
      'not_found',
      vscode.l10n.t('There is no model {0}. There are: {1}.', id, ids),
    );
  }

  /** Returns a model ready to be asked: the named one for one turn, else the session's. */
  async resolve(id: string | undefined, sessionId: SessionId): Promise<ChosenModel> {
    const config = id === undefined ? this.current(sessionId) : this.find(id);
    const origin = keyOrigin(config);
    const apiKey = origin === undefined ? undefined : await this.secrets.get(secretName(origin));
    return { config, ...(apiKey !== undefined && { apiKey }) };
  }

  /** Chooses a model for one session, or for every session that has no choice of its own. */
  async select(id: string, sessionId?: SessionId): Promise<void> {
    this.find(id);
    if (sessionId === undefined) {
      await settings.setModel(id);
    } else {
      const choices = this.choices();
      choices.delete(sessionId);
      choices.set(sessionId, id);
      await this.memento.update(chosenKey, [...choices].slice(-chosenLimit));
    }
    this.changed.fire(undefined);
  }

  /** Adds an entry to the setting. Throws `invalid` when it makes no sense, or its id is taken. */
  async add(entry: ModelEntry): Promise<void> {
    const present = entries();
    const { problems } = parseModels([entry]);
    const taken = this.list().some((model) => model.id === entry.id);
    if (taken || problems.length > 0) {
      throw taken
        ? new RetraceError('invalid', 'There is a model {0} already.', [entry.id])
        : new RetraceError('invalid', 'This is no model: {0}', [problems.join('; ')]);
    }
    await settings.setModels([...present, entry]);
    this.changed.fire(undefined);
  }

  /** Has a model talk without tools from now on. */
  async withoutTools(id: string): Promise<void> {
    await settings.setModels(
      entries().map((entry) =>
        v.is(withId, entry) && entry.id === id ? { ...entry, tools: false } : entry,
      ),
    );
    this.changed.fire(undefined);
  }

  /** Returns the key kept for an origin. */
  async keyOf(origin: string): Promise<string | undefined> {
    return this.secrets.get(secretName(origin));
  }

  /** Keeps a key for the origin a model's requests go to; an empty one is forgotten. */
  async setKey(id: string, key: string): Promise<void> {
    await this.setOriginKey(this.originOf(id), key);
  }

  /** Keeps a key for an origin; an empty one is forgotten. */
  async setOriginKey(origin: string, key: string): Promise<void> {
    const name = secretName(origin);
    const trimmed = key.trim();
    if (trimmed === '') await this.secrets.delete(name);
    else await this.secrets.store(name, trimmed);
    this.changed.fire(undefined);
  }

  /** Returns the origin a model's key belongs to. Throws `invalid` for a model that takes none. */
  originOf(id: string): string {
    const origin = keyOrigin(this.find(id));
    if (origin !== undefined) return origin;
    throw new RetraceError('invalid', vscode.l10n.t('The model {0} takes no API key.', id));
  }

  /** Lists are asked for often; each fault of the settings is said once. */
  private tell(problem: string): void {
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    this.log.warn(problem);
  }

  private choices(): Map<SessionId, string> {
    return new Map(v.parse(chosenSchema, this.memento.get(chosenKey)));
  }
}

function entries(): readonly unknown[] {
  const setting = settings.models();
  return Array.isArray(setting) ? setting : [];
}

/** A key belongs to the server it was entered for, not to a model entry that may be pointed elsewhere. */
function secretName(origin: string): string {
  return `key:${origin}`;
}
