import { emptyDraft, type Draft } from '../../core/node';
import type { OpenSession } from '../../engine/openSession';
import { isEmptyDraft } from '../../engine/drafts';
import type { RequestParams } from '../../protocol/messages';
import type { Submit } from './services';

/** Hands the composer's text over, so that it is either on its way or still in the composer, never both nor neither. */
export class Submitting {
  readonly #sent = new Map<OpenSession, Draft>();

  /**
   * Empties the composer and gives what was in it to `take`; what is refused comes back. A draft that came into the
   * composer since the one of `version` stays there.
   */
  async submit(
    session: OpenSession,
    { draft, version = session.draftVersion }: RequestParams['queue'],
    take: Submit,
  ): Promise<void> {
    this.#sent.set(session, draft);
    try {
      if (version >= session.draftVersion) await session.typeDraft(emptyDraft);
      await take(session, draft);
    } catch (error) {
      await putBack(session, draft);
      throw error;
    } finally {
      this.#sent.delete(session);
    }
  }

  /** Saves what is being typed. What was just submitted may still come in as typed: it is not put back. */
  async save(session: OpenSession, { draft, ...typed }: RequestParams['saveDraft']): Promise<void> {
    if (JSON.stringify(this.#sent.get(session)) === JSON.stringify(draft)) return;
    await session.typeDraft(draft, typed);
  }
}

/** The page still shows what was refused, unless something came into the composer meanwhile. */
async function putBack(session: OpenSession, draft: Draft): Promise<void> {
  if (isEmptyDraft(session.draft.draft)) await session.typeDraft(draft);
  else await session.returnDraft(draft);
}
