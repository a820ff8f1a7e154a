import type { SessionId } from '../core/ids';
import { nodeText, type GraphNode } from '../core/node';
import { RetraceError } from './errors';
import { excerptAt, patternOf } from './findText';
import type { OpenSession } from './openSession';
import type { SessionCard } from './store/documents';

/** A session that holds what was looked for; without an excerpt only its title does. */
export interface SessionHit {
  readonly id: SessionId;
  /** The place on one line, with a little around it. */
  readonly excerpt?: string;
}

/** What a search came to; not `complete` says that some sessions are too many, or too long, to be looked through. */
export interface SessionHits {
  readonly hits: readonly SessionHit[];
  readonly complete: boolean;
}

/** What is searched. */
export interface SearchedSessions {
  cards(archived: boolean): Promise<readonly SessionCard[]>;
  opened(id: SessionId): OpenSession | undefined;
  readStored(id: SessionId): Promise<{
    readonly records: readonly { readonly type: string; readonly node?: GraphNode }[];
  }>;
}

interface Indexed {
  readonly stamp: string;
  readonly text: string;
  readonly whole: boolean;
}

/** Sessions looked through by one search; characters kept of one and of all. */
const bounds = { sessions: 1_000, one: 1_000_000, all: 16_000_000 } as const;

/**
 * Finds sessions by what was said in them, on any branch. What was read is kept, within bounds, until the session
 * changes; an open one is searched as it is. Nothing is done before the first search.
 */
export class SessionSearch {
  /** The least recently searched first. */
  readonly #index = new Map<SessionId, Indexed>();
  #kept = 0;

  constructor(private readonly sessions: SearchedSessions) {}

  /** Looks for a text, capitals aside, newest session first. Throws `cancelled` when the signal says so. */
  async find(text: string, archived: boolean, signal: AbortSignal): Promise<SessionHits> {
    const pattern = patternOf(text);
    if (pattern === undefined) return { hits: [], complete: true };
    const cards = await this.sessions.cards(archived);
    const hits: SessionHit[] = [];
    let complete = cards.length <= bounds.sessions;
    for (const card of cards.slice(0, bounds.sessions)) {
      // One session at a time, so that typing on, or anything else, comes between.
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted) throw new RetraceError('cancelled', 'The search was ended.');
      const found = await this.#look(card, pattern);
      complete &&= found.whole;
      if (found.excerpt !== undefined) hits.push({ id: card.id, excerpt: found.excerpt });
      else if (pattern.test(card.title)) hits.push({ id: card.id });
    }
    return { hits, complete };
  }

  async #look(
    card: SessionCard,
    pattern: RegExp,
  ): Promise<{ readonly excerpt?: string; readonly whole: boolean }> {
    const open = this.sessions.opened(card.id);
    const { text, whole } =
      open === undefined ? await this.#stored(card) : textOf(open.state.nodes.values());
    const at = text.search(pattern);
    return at === -1 ? { whole } : { excerpt: excerptAt(text, at), whole };
  }

  async #stored(card: SessionCard): Promise<Omit<Indexed, 'stamp'>> {
    const stamp = `${card.updatedAt} ${card.nodes}`;
    const known = this.#index.get(card.id);
    this.#drop(card.id);
    const fresh =
      known?.stamp === stamp ? known : { stamp, ...textOf(nodesOf(await this.#read(card.id))) };
    this.#index.set(card.id, fresh);
    this.#kept += fresh.text.length;
    for (const id of this.#index.keys()) {
      if (this.#kept <= bounds.all) break;
      this.#drop(id);
    }
    return fresh;
  }

  /** A session that cannot be read has no text to be found; the list says what is wrong with it. */
  async #read(id: SessionId): ReturnType<SearchedSessions['readStored']> {
    return this.sessions.readStored(id).catch(() => ({ records: [] }));
  }

  #drop(id: SessionId): void {
    this.#kept -= this.#index.get(id)?.text.length ?? 0;
    this.#index.delete(id);
  }
}

function nodesOf({ records }: Awaited<ReturnType<SearchedSessions['readStored']>>): GraphNode[] {
  return records.flatMap(({ node }) => node ?? []);
}

function textOf(nodes: Iterable<GraphNode>): Omit<Indexed, 'stamp'> {
  const texts: string[] = [];
  let length = 0;
  for (const node of nodes) {
    const text = nodeText(node);
    if (text === '') continue;
    texts.push(text.slice(0, bounds.one - length));
    length += text.length + 1;
    if (length > bounds.one) return { text: texts.join('\n'), whole: false };
  }
  return { text: texts.join('\n'), whole: true };
}
