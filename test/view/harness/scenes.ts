import type {
  MessageView,
  PartView,
  ReplyView,
  SessionView,
  SiblingsView,
  UserView,
} from '../../../src/protocol/viewModel';

const at = Date.UTC(2026, 10, 30, 14, 2);
const alone: SiblingsView = { index: 1, count: 1 };

function user(id: string, text: string, more: Partial<UserView> = {}): UserView {
  return { role: 'user', id, text, attachments: [], createdAt: at, siblings: alone, ...more };
}

function reply(id: string, parts: readonly PartView[], more: Partial<ReplyView> = {}): ReplyView {
  return {
    role: 'assistant',
    id,
    model: 'practice',
    parts,
    status: 'done',
    files: [],
    createdAt: at,
    siblings: alone,
    ...more,
  };
}

const first = user('u1', 'Add a token-bucket rate limiter to the API and test it.');
const firstReply = reply(
  'a1',
  [
    { type: 'reasoning', text: 'The server has one entry point, so a middleware is enough.' },
    { type: 'text', text: 'I read `server.ts` and put the limiter in its own module.' },
    {
      type: 'tool',
      name: 'read',
      summary: 'read src/server.ts',
      state: 'done',
      input: '{ "path": "src/server.ts" }',
      output: "import { createServer } from 'node:http';\n",
    },
    {
      type: 'tool',
      name: 'run',
      summary: 'ran npm test · 14 passed',
      state: 'done',
      input: 'npm test',
      output: '14 passed',
      took: 3_100,
    },
  ],
  {
    files: [
      {
        uri: 'file:///w/src/limiter.ts',
        label: 'src/limiter.ts',
        kind: 'created',
        byHand: false,
        added: 64,
      },
      {
        uri: 'file:///w/src/server.ts',
        label: 'src/server.ts',
        kind: 'changed',
        byHand: true,
        added: 9,
        removed: 2,
      },
      {
        uri: 'file:///w/test/limiter.test.ts',
        label: 'test/limiter.test.ts',
        kind: 'created',
        byHand: false,
        added: 41,
      },
    ],
    siblings: { index: 2, count: 3, previous: 'a0', next: 'a2' },
  },
);
const second = user('u2', 'Make the limit configurable per route, default 60 per minute.', {
  attachments: [
    { label: 'routes.png', data: { name: 'routes.png', mime: 'image/png', base64: '' } },
  ],
});
const secondText = 'Routes now take a `limit` option; anything without one gets 60 per minute.';

export const conversation: readonly MessageView[] = [
  first,
  firstReply,
  second,
  reply('a3', [{ type: 'text', text: secondText }]),
];

const markdown = `## What changed

The limiter keeps **one bucket per route** and refills it lazily. See [server.ts](src/server.ts:12) and
[the paper](https://example.com/token-bucket).

- [x] buckets
- [ ] metrics, later

| route | limit | burst |
| --- | ---: | :-: |
| \`/search\` | 10 | 3 |
| everything else | 60 | 10 |

> A bucket that is full stays full.

\`\`\`ts
/** Takes one token, or says how long to wait. */
export function take(bucket: Bucket, now = Date.now()): number {
  const refill = (now - bucket.at) * bucket.rate; // tokens
  return bucket.tokens + refill >= 1 ? 0 : 1 / bucket.rate;
}
const limits = new Map<string, number>([['search', 10]]);
\`\`\``;

export function base(change: Partial<SessionView> = {}): SessionView {
  return {
    sessionId: 's1',
    title: 'Rate limiter for the API',
    revision: 1,
    messages: conversation,
    lines: [],
    approvals: [],
    running: false,
    draft: { text: '', attachments: [], version: 1 },
    queued: [],
    instructions: [],
    sendKey: 'enter',
    model: { id: 'practice', label: 'Practice', practice: true },
    mode: 'agent',
    context: { used: 12_000, window: 128_000, usage: [] },
    noFolder: false,
    canUndo: false,
    canRedo: false,
    ...change,
  };
}

const running = reply(
  'a3',
  [
    { type: 'text', text: secondText },
    {
      type: 'tool',
      name: 'edit',
      summary: 'editing src/routes.ts …',
      state: 'running',
      input: '{}',
      output: '',
    },
  ],
  { status: 'running' },
);

/** What the page can be shown, by name. */
export const scenes: Readonly<Record<string, () => SessionView>> = {
  empty: () =>
    base({ title: 'New session', messages: [], context: { used: 0, window: 128_000, usage: [] } }),
  conversation: () => base(),
  markdown: () => base({ messages: [first, reply('a9', [{ type: 'text', text: markdown }])] }),
  streaming: () => base({ messages: [first, firstReply, second, running], running: true }),
  context: () =>
    base({
      instructions: [
        { uri: 'file:///w/AGENTS.md', label: 'AGENTS.md', used: true },
        { uri: 'file:///w/docs/AGENTS.md', label: 'docs/AGENTS.md', used: false },
      ],
      offer: { what: 'selection', label: 'src/server.ts:3-9' },
      draft: {
        text: 'Explain ',
        attachments: [
          { uri: 'file:///w/src/limiter.ts' },
          { uri: 'file:///w/test/' },
          { name: 'Pasted text (120 lines)', mime: 'text/plain', base64: 'AAAA' },
          { name: 'screen.png', mime: 'image/png', base64: 'AAAA' },
        ],
        version: 1,
      },
    }),
  queued: () =>
    base({
      messages: [first, firstReply, second, running],
      running: true,
      queued: [
        { id: 'w1', text: 'Then write the changelog entry and bump the version.', attachments: 0 },
        { id: 'w2', text: '', attachments: 2 },
      ],
      draft: {
        text: '',
        attachments: [],
        version: 1,
        aside: { text: 'Something written before', attachments: [] },
      },
    }),
  sheet: () =>
    base({
      sheet: {
        planId: 'p1',
        verb: 'rewind',
        title: 'Rewind to “Make the limit configurable per route…”',
        detail: '2 turns go to another branch, where they stay. Your text returns to the composer.',
        action: 'Rewind',
        scope: 'both',
        scopes: ['both', 'chat', 'files'],
        replanned: false,
        plain: false,
        files: [
          {
            uri: 'f1',
            label: 'src/routes.ts',
            outcome: 'restored',
            tag: 'restore',
            added: 4,
            removed: 22,
            choices: [],
            canCompare: true,
          },
          {
            uri: 'f2',
            label: 'src/limiter.ts',
            outcome: 'merged',
            tag: 'merged: your lines stay',
            removed: 8,
            choices: [],
            canCompare: true,
          },
          {
            uri: 'f3',
            label: 'README.md',
            outcome: 'conflict',
            tag: 'you changed the same lines',
            choices: ['keep', 'restore'],
            canCompare: true,
          },
          {
            uri: 'f4',
            label: 'dist/app.log',
            outcome: 'uncovered',
            tag: 'not covered: 61 MB',
            choices: [],
            canCompare: false,
          },
        ],
      },
    }),
  plain: () =>
    base({
      sheet: {
        planId: 'p2',
        verb: 'rewind',
        title: 'Rewind to “Add a token-bucket rate limiter…”',
        detail: '1 turn goes to another branch, where it stays.',
        action: 'Rewind',
        scope: 'both',
        scopes: ['both', 'chat', 'files'],
        replanned: true,
        plain: true,
        files: [
          {
            uri: 'f1',
            label: 'src/limiter.ts',
            outcome: 'deleted',
            tag: 'delete',
            removed: 64,
            choices: [],
            canCompare: true,
          },
          {
            uri: 'f2',
            label: 'src/server.ts',
            outcome: 'restored',
            tag: 'restore',
            added: 2,
            removed: 9,
            choices: [],
            canCompare: true,
          },
        ],
      },
    }),
  after: () =>
    base({
      messages: [first, firstReply],
      lines: [
        {
          kind: 'result',
          id: 'l1',
          text: 'Rewound 2 turns · 2 files restored, 1 merged, 1 kept',
          action: 'undo',
          failures: [],
        },
      ],
      files: { text: 'Files are at “Routes now take a limit option…”', canBring: true },
      draft: {
        text: 'Make the limit configurable per route, default 60 per minute.',
        attachments: [{ name: 'routes.png', mime: 'image/png', base64: '' }],
        version: 2,
        aside: { text: 'something else', attachments: [] },
      },
      context: { used: 4_000, window: 128_000, usage: [] },
    }),
  lines: () =>
    base({
      messages: [first, firstReply],
      lines: [
        {
          kind: 'result',
          id: 'l1',
          text: 'Rewound 1 turn · 1 file restored, 1 failed',
          action: 'undo',
          failures: [{ label: 'src/server.ts', uri: 'f', reason: 'the file is read-only' }],
        },
        {
          kind: 'points',
          id: 'l2',
          points: [
            {
              n: 1,
              messageId: 'u2',
              text: 'Make the limit configurable per route, default 60 per minute.',
              filesChanged: 2,
            },
            {
              n: 2,
              messageId: 'u1',
              text: 'Add a token-bucket rate limiter to the API and test it.',
              filesChanged: 3,
            },
          ],
        },
        {
          kind: 'error',
          id: 'l3',
          text: '/rewind takes a number from 1 to 2.',
          code: 'out_of_range',
        },
      ],
    }),
  error: () =>
    base({
      messages: [
        first,
        firstReply,
        second,
        reply(
          'a4',
          [
            {
              type: 'todo',
              items: [
                { text: 'Read the routes', done: true },
                { text: 'Add the option', done: false },
              ],
            },
            {
              type: 'tool',
              name: 'edit',
              summary: 'edit src/routes.ts',
              state: 'failed',
              input: '{}',
              output: 'The text to replace occurs twice.',
            },
            {
              type: 'tool',
              name: 'run',
              summary: 'run rm -rf build',
              state: 'denied',
              input: 'rm -rf build',
              output: '',
            },
          ],
          {
            status: 'failed',
            error: {
              code: 'model',
              message: 'The server at localhost:11434 does not answer. Is it running?',
            },
            files: [
              {
                uri: 'f9',
                label: 'assets/video.mp4',
                kind: 'uncovered',
                byHand: false,
                uncovered: '61 MB',
              },
              {
                uri: 'f8',
                label: 'src/limits.ts',
                kind: 'renamed',
                from: 'src/limit.ts',
                byHand: false,
              },
              { uri: 'f7', label: 'src/old.ts', kind: 'deleted', byHand: false, removed: 12 },
            ],
            siblings: { index: 2, count: 2, previous: 'a3' },
          },
        ),
      ],
    }),
  'too-long': () =>
    base({
      messages: [
        first,
        firstReply,
        { role: 'summary', id: 's1', text: '- A limiter was added.', createdAt: at },
        second,
        reply('a9', [], {
          status: 'failed',
          error: {
            code: 'too_long',
            message:
              'The conversation is too long for the model "qwen3-coder": it takes about 34120 tokens, 2310 of them for instructions and tools. The window of the model has 32768 tokens. It is not sent again like this. Continue with older turns summarised, rewind to an earlier message, or choose a model with a larger window.',
          },
        }),
      ],
      context: { used: 34_120, window: 32_768, usage: ['This branch: 61k tokens in, 4100 out'] },
    }),
  'storage-full': () =>
    base({
      messages: [first, firstReply, second, running],
      running: true,
      approvals: [
        {
          approvalId: 'q1',
          kind: 'storage',
          answers: ['once', 'deny'],
          title: 'The storage is full',
          detail: '',
          note: 'Copies of files take 2 GB of 2 GB. What is changed without a copy cannot be taken back. Nothing is changed until you choose.',
        },
      ],
    }),
  approval: () =>
    base({
      messages: [first, firstReply, second, running],
      running: true,
      approvals: [
        {
          approvalId: 'q1',
          kind: 'command',
          title: 'Run a command',
          detail: 'npm run build && npm test -- --run limiter',
          answers: ['once', 'session', 'always', 'deny'],
        },
        {
          approvalId: 'q2',
          kind: 'continue',
          title: 'Go on?',
          detail: 'The model was called 50 times in this turn.',
          answers: ['once', 'deny'],
        },
      ],
    }),
};
