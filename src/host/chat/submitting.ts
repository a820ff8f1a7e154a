import { emptyDraft, type Draft } from '../../core/node';
import { isEmptyDraft, type OpenSession } from '../../engine/openSession';
import type { Submit } from './services';

/** Hands the composer's text over, so that it is either on its way or still in the composer, never both nor neither. */
export class Submitting {
  readonly #sent = new Map<OpenSession, Draft>();

  constructor(private readonly take: Submit) {}

  /** Empties the composer and submits what was in it; what is refused comes back. */
  async submit(session: OpenSession, draft: Draft): Promise<void> {
    this.#sent.set(session, draft);
    try {
      await session.typeDraft(emptyDraft);
      await this.take(session, draft);
    } catch (error) {
      if (isEmptyDraft(session.draft.draft)) await session.typeDraft(draft);
      throw error;
    } finally {
      this.#sent.delete(session);
    }
  }

  /** Saves what is being typed. What was just submitted may still come in as typed: it is not put back. */
  async save(session: OpenSession, draft: Draft): Promise<void> {
    if (JSON.stringify(this.#sent.get(session)) === JSON.stringify(draft)) return;
    await session.typeDraft(draft);
  }
}
