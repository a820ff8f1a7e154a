// Stands in for the extension: answers every request of the page as the real host would, from written scenes.
import { parseRequest, type HostFrame, type RequestFrame } from '../../../src/protocol/messages';
import { viewStrings } from '../../../src/protocol/strings';
import type {
  ContextItem,
  ModelRow,
  SessionRow,
  SessionView,
} from '../../../src/protocol/viewModel';
import { longView, outlined } from './longScene';
import { base, scenes } from './scenes';
import { wearTheme } from './wearTheme';

const query = new URLSearchParams(location.search);
const hour = 3_600_000;
const sessions: readonly SessionRow[] = [
  row('s1', 'Rate limiter for the API', 0, { current: true, messages: 4 }),
  row('s2', 'Fork #1 Rate limiter for the API', 1, {
    forkedFrom: 'Rate limiter for the API',
    running: true,
  }),
  row('s3', 'Why does the login page flicker?', 26, { messages: 31 }),
  row('s4', 'Move the build to esbuild', 24 * 5, { messages: 112 }),
  row('s5', 'First steps', 24 * 40, { archived: true }),
];
const models: readonly ModelRow[] = [
  { id: 'practice', label: 'Practice', detail: 'built in, no AI', current: true },
  { id: 'ollama', label: 'qwen3-coder', detail: 'Ollama on localhost:11434', current: false },
];

const contextItems: readonly ContextItem[] = [
  { kind: 'file', label: 'src/server.ts', uri: 'file:///w/src/server.ts' },
  { kind: 'file', label: 'src/limiter.ts', uri: 'file:///w/src/limiter.ts' },
  { kind: 'folder', label: 'src', uri: 'file:///w/src/' },
];

function row(id: string, title: string, hoursAgo: number, more: Partial<SessionRow>): SessionRow {
  const updatedAt = Date.now() - hoursAgo * hour;
  return {
    id,
    title,
    updatedAt,
    current: false,
    running: false,
    archived: false,
    messages: 2,
    ...more,
  };
}

export interface FakeHost {
  view: SessionView;
  readonly asked: RequestFrame[];
  /** Requests that get no answer. */
  readonly silent: Set<string>;
  /** Requests that are refused, with the message. */
  readonly refused: Map<string, { code: string; message: string }>;
  send(frame: HostFrame): void;
  show(change: Partial<SessionView>, focus?: 'composer' | 'sheet'): void;
  stream(messageId: string, part: number, text: string): void;
}

declare global {
  // The page's tests reach the host by this name.
  var fakeHost: FakeHost;
  var acquireVsCodeApi: () => unknown;
}

function deliver(frame: HostFrame): void {
  window.postMessage(frame, '*');
}

const host: FakeHost = {
  view:
    query.get('scene') === 'long'
      ? longView(Number(query.get('count') ?? 2_000), Number(query.get('size') ?? 10_000))
      : (scenes[query.get('scene') ?? 'conversation'] ?? base)(),
  asked: [],
  silent: new Set(),
  refused: new Map(),
  send: deliver,
  show(change, focus) {
    host.view = { ...host.view, ...change, revision: host.view.revision + 1 };
    const { sessionId } = host.view;
    deliver({
      type: 'snapshot',
      sessionId,
      requestId: '',
      from: host.view.revision - 1,
      view: outlined(host.view),
      ...(focus ? { focus } : {}),
    });
  },
  stream(messageId, part, text) {
    const { sessionId, revision } = host.view;
    const messages = host.view.messages.map((message) => {
      if (message.id !== messageId || message.role !== 'assistant') return message;
      const parts = message.parts.map((one, index) =>
        index === part && one.type === 'text' ? { ...one, text: one.text + text } : one,
      );
      return { ...message, parts };
    });
    host.view = { ...host.view, messages, revision: revision + 1 };
    const op = { op: 'appendText', messageId, part, text } as const;
    deliver({
      type: 'delta',
      sessionId,
      requestId: '',
      from: revision,
      to: revision + 1,
      ops: [op],
    });
  },
};

function answer(frame: RequestFrame): unknown {
  switch (frame.name) {
    case 'ready':
      return { view: outlined(host.view), strings: viewStrings, language: 'en' };
    case 'listSessions':
    case 'keepSession':
      return { sessions };
    case 'findInConversation': {
      const { text, everywhere } = (frame as RequestFrame<'findInConversation'>).params;
      const hits = host.view.messages.flatMap((message) =>
        JSON.stringify(message).toLowerCase().includes(text.toLowerCase())
          ? [{ messageId: message.id, excerpt: text, onPath: true }]
          : [],
      );
      const elsewhere = { messageId: 'gone', excerpt: `…${text} elsewhere…`, onPath: false };
      return { hits: everywhere ? [...hits, elsewhere] : hits, complete: true };
    }
    case 'searchSessions':
      return {
        hits: [{ id: sessions.at(-1)?.id, excerpt: '…the limiter counts per route…' }],
        complete: true,
      };
    case 'findContext': {
      const { text = '', kind = 'any' } = frame.params as { text?: string; kind?: string };
      const items = contextItems.filter((item) => kind === 'any' || item.kind === kind);
      return { items: items.filter(({ label }) => label.includes(text)) };
    }
    case 'takeContext':
      return { attachment: { name: 'src/server.ts:3-9', mime: 'text/plain', base64: 'AQI=' } };
    case 'readMessages': {
      const { ids } = (frame as RequestFrame<'readMessages'>).params;
      return { messages: host.view.messages.filter(({ id }) => ids.includes(id)) };
    }
    case 'listModels':
      return { models };
    case 'send':
      return { accepted: true };
    case 'planMove':
      return { planId: 'p9', needsAnswer: false, scope: 'both' };
    case 'applyMove':
      return { applied: true };
    case 'fork':
    case 'newSession':
      return { sessionId: 's9' };
    default:
      return null;
  }
}

globalThis.fakeHost = host;
globalThis.acquireVsCodeApi = () => ({
  getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') as unknown,
  setState: (state: unknown) => sessionStorage.setItem('kept', JSON.stringify(state)),
  postMessage: (message: unknown) => {
    const parsed = parseRequest(structuredClone(message));
    if (!parsed.ok) throw new Error(parsed.problem);
    const { frame } = parsed;
    host.asked.push(frame);
    if (host.silent.has(frame.name)) return;
    const { requestId, sessionId } = frame;
    const refusal = host.refused.get(frame.name);
    const result = refusal
      ? ({ ok: false, ...refusal } as const)
      : ({ ok: true, value: answer(frame) } as const);
    setTimeout(() => deliver({ type: 'answer', requestId, sessionId, result }), 5);
  },
});

wearTheme(query.get('theme'));
