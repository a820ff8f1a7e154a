import type { ChatContext } from '../chat/services';
import { currentOffer, onOffer, takeProblems, takeSelection } from './editorContext';
import { findContext } from './findContext';
import type { ProjectInstructions } from './projectInstructions';

/** What can be given to the agent along with a message, as this window has it. */
export function chatContext(project: ProjectInstructions): ChatContext {
  return {
    find: (session, { text, kind }, signal) => findContext(session, text, kind, signal),
    take: (session, what) =>
      what === 'selection' ? takeSelection(session) : takeProblems(session),
    instructions: (session) => project.shown(session),
    onInstructions: (listener) => project.changed.on(listener),
    offer: currentOffer,
    onOffer,
  };
}
