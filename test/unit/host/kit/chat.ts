import { SessionSearch } from '../../../../src/engine/sessionSearch';
import type { Mode } from '../../../../src/core/mode';
import type { Attachment } from '../../../../src/core/node';
import { untranslated } from '../../../../src/agent/translate';
import { errorText } from '../../../../src/engine/errors';
import { MessageQueue } from '../../../../src/engine/messageQueue';
import { ChatController } from '../../../../src/host/chat/chatController';
import { LineCounts } from '../../../../src/host/chat/lineCounts';
import { Presenter } from '../../../../src/host/chat/presentSession';
import type { ChatServices, Submit } from '../../../../src/host/chat/services';
import { WindowSession } from '../../../../src/host/currentSession';
import {
  protocolVersion,
  type HostFrame,
  type RequestName,
  type RequestParams,
  type RequestResults,
} from '../../../../src/protocol/messages';
import type { OfferView, SessionView } from '../../../../src/protocol/viewModel';
import { reduce } from '../../../../webview-ui/state';
import { memoryEngine, newMemory, type Memory, type Script } from '../../../kit/memoryEngine';

export type AnswerFrame = Extract<HostFrame, { type: 'answer' }>;

/** What a fake opener was asked to show, and what it gives back. */
export interface Opened {
  readonly calls: unknown[][];
  files: readonly Attachment[];
  offer: OfferView | undefined;
  offerChanged: () => void;
}

/** The chat over an engine in memory. The page is played by its own reducer, so that what it would draw is known. */
export async function openChat(
  scripts: Readonly<Record<string, Script>> = {},
  memory = newMemory(),
) {
  const engine = await memoryEngine(memory, scripts);
  const { retrace, sheets, sessions, approvals, log } = engine;
  const remembered = new Map<string, unknown>();
  const current = new WindowSession(
    sessions,
    {
      get: (key) => remembered.get(key),
      update: async (key, value) => void remembered.set(key, value),
    },
    log,
  );
  const opened: Opened = {
    calls: [],
    files: [],
    offer: undefined,
    offerChanged: () => undefined,
  };
  const note =
    (name: string) =>
    async (...args: unknown[]): Promise<void> => {
      opened.calls.push([name, ...args]);
    };
  let queuedCount = 0;
  let modelsChanged: () => void = () => undefined;
  let mode: Mode = 'agent';
  const submit: Submit = (session, draft) =>
    new Promise((resolve, reject) => {
      const end = session.events.on(() => {
        if (session.running !== undefined) resolve();
      });
      retrace
        .send(session, draft)
        .then(() => resolve(), reject)
        .finally(end);
    });
  const queue = new MessageQueue({
    newId: () => `q${++queuedCount}`,
    log,
    send: submit,
    stop: (session) => retrace.stop(session),
    failed: (session, error) =>
      session.addLine({ kind: 'error', id: 'queue', code: 'invalid', text: errorText(error) }),
  });
  const services: ChatServices = {
    retrace,
    sheets,
    sessions,
    search: new SessionSearch(sessions),
    approvals,
    blobs: memory.blobs,
    current,
    submit,
    queue,
    sendKey: { get: () => 'enter', onChange: () => () => undefined },
    continueSummarised: async (session) => {
      await retrace.continueSummarised(session, 'Go on.');
    },
    makeRoom: async () => undefined,
    keepSession: async (action, sessionId) => {
      const session = await sessions.open(sessionId);
      if (action === 'archive') await sessions.archive(session, true);
    },
    requireTurn: async (_, model) => {
      if (model === 'missing') throw new Error('There is no such model.');
    },
    models: {
      list: async () => [{ id: 'm', label: 'Model', detail: '', current: true }],
      currentOf: () => ({ id: 'm', label: 'Model', practice: false, contextWindow: 1_000 }),
      labelOf: (id) => `model ${id}`,
      select: async (session, id) => {
        await note('select')(session.id, id);
        modelsChanged();
      },
      onChange: (listener) => {
        modelsChanged = listener;
        return () => undefined;
      },
    },
    modes: {
      currentOf: () => mode,
      select: async (_, chosen) => {
        mode = chosen;
        modelsChanged();
      },
      onChange: () => () => undefined,
    },
    context: {
      find: async (_, { text }) => [{ kind: 'file', label: text, uri: `file:///w/${text}` }],
      take: (_, what) => ({ name: what, mime: 'text/plain', base64: '' }),
      instructions: () => [{ uri: 'file:///w/AGENTS.md', label: 'AGENTS.md', used: true }],
      onInstructions: () => () => undefined,
      offer: () => opened.offer,
      onOffer: (listener) => {
        opened.offerChanged = listener;
        return () => undefined;
      },
    },
    opener: {
      openChange: note('openChange'),
      openChanges: note('openChanges'),
      compareFile: note('compareFile'),
      compareAll: note('compareAll'),
      openLink: note('openLink'),
      attachFiles: async () => opened.files,
      copy: note('copy'),
      openFolder: note('openFolder'),
      insertCode: note('insertCode'),
      compareCode: note('compareCode'),
      addModel: note('addModel'),
    },
    log,
    t: untranslated,
    defaultScope: () => 'both',
    texts: { strings: { send: 'Send' }, language: 'en' },
    focusChanged: (focused) => void opened.calls.push(['focusChanged', focused]),
  };
  const counts = new LineCounts(memory.blobs);
  const presenter = new Presenter({ ...services, counts });
  const frames: HostFrame[] = [];
  let page: SessionView | undefined;
  let gaps = 0;
  const controller = new ChatController(services, presenter, (frame) => {
    frames.push(frame);
    if (frame.type !== 'snapshot' && frame.type !== 'delta') return;
    const reduced = reduce(page, frame);
    page = reduced.view;
    if (reduced.resync) gaps++;
  });
  let asked = 0;

  /** Sends a frame as the page would, and returns what answered it. */
  const send = async (name: string, params: unknown, sessionId = ''): Promise<AnswerFrame> => {
    const requestId = `r${++asked}`;
    await controller.receive({ type: 'request', requestId, sessionId, name, params });
    const answers = frames.filter(
      (frame): frame is AnswerFrame => frame.type === 'answer' && frame.requestId === requestId,
    );
    const [answer] = answers;
    if (answer === undefined || answers.length > 1)
      throw new Error(`${name} was answered ${answers.length} times`);
    if (name === 'ready' && answer.result.ok)
      page = (answer.result.value as RequestResults['ready']).view;
    return answer;
  };
  const ask = async <K extends RequestName>(
    name: K,
    params: RequestParams[K],
    sessionId?: string,
  ): Promise<RequestResults[K]> => {
    const { result } = await send(name, params, sessionId);
    if (!result.ok) throw new Error(`${name}: ${result.code} ${result.message}`);
    return result.value as RequestResults[K];
  };

  return {
    ...engine,
    memory,
    services,
    current,
    controller,
    presenter,
    counts,
    frames,
    opened,
    remembered,
    send,
    ask,
    /** Lets what is collected go out. */
    settle: (ms = 400) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    ready: () => ask('ready', { protocol: protocolVersion }),
    /** What the page shows now. */
    page: (): SessionView => {
      if (page === undefined) throw new Error('the page shows nothing');
      return page;
    },
    gaps: () => gaps,
  };
}

export type Chat = Awaited<ReturnType<typeof openChat>>;
export type { Memory };
