// Stands in for the extension beside the graph's page: a session of so many messages, some with branches.
import { parseGraphRequest, type GraphRowView } from '../../../src/protocol/graph';
import { viewStrings } from '../../../src/protocol/strings';
import { wearTheme } from './wearTheme';

const query = new URLSearchParams(location.search);
const count = Number(query.get('rows') ?? '2000');
const every = Number(query.get('every') ?? '9');

/** A long conversation; each so many messages three others leave it for a lane of their own, one of them for two. */
function makeRows(): GraphRowView[] {
  const rows: GraphRowView[] = [];
  let main = -1;
  let branch = 0;
  const add = (parent: number, lane: number, part: Partial<GraphRowView>): number => {
    const index = rows.length;
    return (
      rows.push({
        key: `n${index}`,
        kind: index % 2 === 0 ? 'user' : 'reply',
        parent,
        lane,
        branch: lane === 0 ? 0 : branch,
        active: lane === 0,
        text: `Message ${index}: make the limit configurable per route and test it`,
        status: index % 31 === 30 ? 'failed' : 'done',
        files: index % 2 === 0 ? 0 : index % 4,
        marks: index % 40 === 7 ? ['rewound 14:02'] : [],
        archived: index % 50 === 11,
        ...(index % 12 === 3 && { label: 'works' }),
        at: Date.UTC(2026, 10, 30),
        ...part,
      }) - 1
    );
  };
  while (rows.length < count) {
    if (main >= 0 && rows.length % every === 0) {
      branch += 1;
      const first = add(main, 1, {});
      branch += 1;
      add(first, 2, {});
      branch -= 1;
      add(first, 1, {});
      branch += 1;
    }
    main = add(main, 0, {});
  }
  add(main, 0, { key: 'here', kind: 'here', text: 'files match this point', files: 0, marks: [] });
  return rows;
}

const view = { sessionId: 's1', title: 'Rate limiter for the API', rows: makeRows(), archived: 3 };

function answer(name: string, params: object): unknown {
  switch (name) {
    case 'ready':
      return { view, strings: viewStrings, language: 'en' };
    case 'find':
      return { messageIds: view.rows.slice(0, 40).map(({ key }) => key) };
    case 'counts':
      return { counts: { n1: { added: 114, removed: 2 } } };
    case 'details':
      return {
        ...{ messageId: 'messageId' in params ? params.messageId : '', kind: 'reply' },
        ...{ text: 'Routes now take a limit option.', model: 'Practice', here: false },
        ...{ label: 'works', archived: false, active: false },
        files: [{ uri: 'file:///w/a', label: 'src/routes.ts', kind: 'changed', byHand: false }],
        at: Date.UTC(2026, 10, 30),
      };
    default:
      return null;
  }
}

globalThis.acquireVsCodeApi = () => ({
  getState: () => undefined,
  setState: () => undefined,
  postMessage: (message: unknown) => {
    const parsed = parseGraphRequest(structuredClone(message));
    if (!parsed.ok) throw new Error(parsed.problem);
    const { requestId, sessionId, name, params } = parsed.frame;
    const result = { ok: true, value: answer(name, params) };
    const frame = { type: 'answer', requestId, sessionId, result };
    setTimeout(() => window.postMessage(frame, '*'), 5);
  },
});

wearTheme(query.get('theme'));
