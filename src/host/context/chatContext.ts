import type { ChatContext } from '../chat/services';
import { currentOffer, onOffer, takeProblems, takeSelection } from './editorContext';
import { findContext } from './findContext';

/** What can be given to the agent along with a message, as this window has it. */
export const chatContext: ChatContext = {
  find: (session, { text, kind }, signal) => findContext(session, text, kind, signal),
  take: (session, what) => (what === 'selection' ? takeSelection(session) : takeProblems(session)),
  offer: currentOffer,
  onOffer,
};
