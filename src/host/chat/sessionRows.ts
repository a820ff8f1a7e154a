import type { SessionId } from '../../core/ids';
import type { Sessions } from '../../engine/sessions';
import type { SessionRow } from '../../protocol/viewModel';

/** Returns the rows of the list of sessions, newest first, archived ones too. */
export async function sessionRows(
  sessions: Pick<Sessions, 'cards' | 'opened'>,
  current: SessionId | undefined,
): Promise<SessionRow[]> {
  const cards = await sessions.cards(true);
  const titles = new Map(cards.map(({ id, title }) => [id, title]));
  return cards.map(({ id, title, updatedAt, archived, nodes, forkedFrom }) => {
    const source = forkedFrom && titles.get(forkedFrom.sessionId);
    return {
      id,
      title,
      updatedAt,
      current: id === current,
      running: sessions.opened(id)?.running !== undefined,
      archived,
      messages: nodes,
      ...(source !== undefined && { forkedFrom: source }),
    };
  });
}
