import type { SessionId } from '../../core/ids';
import type { ChatServices } from '../chat/services';
import { renameSession } from './sessions';
import { archiveSession, deleteSession } from './keepSessions';
import { exportSession } from './sessionFiles';
import { viewIds } from '../contributions';
import type { CommandHost } from './host';

/** Returns what the buttons of a row of the list do: what the commands do when a person calls them. */
export function keepFromList(host: CommandHost): ChatServices['keepSession'] {
  return async (action, sessionId) => {
    await run(host, action, sessionId);
  };
}

function run(
  host: CommandHost,
  action: Parameters<ChatServices['keepSession']>[0],
  sessionId: SessionId,
): Promise<unknown> {
  switch (action) {
    case 'rename':
      return renameSession(host, { sessionId });
    case 'archive':
    case 'unarchive':
      return archiveSession(host, { sessionId, archived: action === 'archive' });
    case 'export':
      return exportSession(host, { webview: viewIds.chat, sessionId });
    case 'delete':
      return deleteSession(host, { sessionId });
  }
}
