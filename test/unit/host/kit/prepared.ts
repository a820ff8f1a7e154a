import type { RequestParams } from '../../../../src/protocol/messages';
import { write, type Script } from '../../../kit/memoryEngine';
import { openChat, type Chat } from './chat';

const scripts: Record<string, Script> = {
  one: async (turn, say) => {
    say('first');
    return write(turn, 'f', '1\n');
  },
  two: async (turn, say) => {
    say('second');
    return write(turn, 'f', '2\n');
  },
  streamed: (turn, say) => streamed(turn, say),
};

/** Says a text as a model does, a word at a time. */
const streamed: Script = async (turn) => {
  let text = '';
  for (const word of ['a ', 'few ', 'words']) {
    text += word;
    turn.sink.setPart(0, { type: 'text', text });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  return undefined;
};

/** A session with two turns and the sheet of a rewind open in it, so that every request has something to be about. */
export async function prepared(): Promise<Chat & { readonly params: RequestParams }> {
  const chat = await openChat(scripts);
  chat.memory.workspace.put('f0/f', '0\n');
  await chat.ready();
  const session = await chat.current.get();
  for (const text of ['one', 'two']) await chat.retrace.send(session, { text, attachments: [] });
  await chat.settle(30);
  const [first, reply] = chat.page().messages;
  const messageId = first?.id ?? '';
  const { planId } = await chat.ask('planMove', { verb: 'rewind', messageId }, session.id);
  const draft = { text: 'three', attachments: [] };
  return {
    ...chat,
    params: {
      ready: { protocol: 1 },
      send: { draft },
      stop: {},
      continueSummarised: {},
      saveDraft: { draft },
      queue: { draft },
      queued: { queuedId: 'gone', action: 'edit' },
      takeBackDraft: {},
      dropAside: {},
      planMove: { verb: 'rewind', messageId, scope: 'chat' },
      applyMove: { planId, choices: {}, dontAskAgain: false },
      rescopeMove: { planId, scope: 'files' },
      cancelMove: { planId },
      compareFile: { planId, uri: 'file:///w/f' },
      compareAll: { planId },
      bringHere: { uris: ['file:///w/f'] },
      fork: { messageId },
      makeRoom: { how: 'clean' },
      answerApproval: { approvalId: 'gone', answer: 'once' },
      dismissLine: { lineId: 'any' },
      listSessions: {},
      findInConversation: { text: 'text', everywhere: true },
      searchSessions: { text: 'text' },
      openSession: { sessionId: session.id },
      newSession: {},
      keepSession: { sessionId: session.id, action: 'archive' },
      readMessages: { ids: ['nothing'] },
      listModels: {},
      selectModel: { model: 'm' },
      selectMode: { mode: 'ask' },
      attachFiles: {},
      findContext: { text: 'a', kind: 'any' },
      takeContext: { what: 'selection' },
      openFolder: {},
      addModel: {},
      openChange: { messageId: reply?.id ?? '', uri: 'file:///w/f' },
      openChanges: { messageId: reply?.id ?? '' },
      openLink: { href: 'https://example.com' },
      copy: { text: 'text' },
      insertCode: { text: 'text' },
      compareCode: { text: 'text' },
      focusChanged: { focused: true },
    },
  };
}
