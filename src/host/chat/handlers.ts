import type { SessionId } from '../../core/ids';
import { RetraceError } from '../../engine/errors';
import { findInSession } from '../../engine/findInSession';
import type { OpenSession } from '../../engine/openSession';
import {
  protocolVersion,
  type RequestName,
  type RequestParams,
  type RequestResults,
} from '../../protocol/messages';
import type { PageMoves } from './moves';
import type { ChatServices, Submit } from './services';
import { sessionRows } from './sessionRows';
import { Submitting } from './submitting';
import type { ViewFeed } from './viewFeed';

/** One request on its way to its answer. */
export interface Call<K extends RequestName> {
  readonly params: RequestParams[K];
  /** The session the request is about; the current one where it names none. */
  readonly session: () => Promise<OpenSession>;
  /** Says that the work goes on. */
  readonly progress: (text: string) => void;
}

/** Exactly one handler for each request there is. */
export type Handlers = {
  readonly [K in RequestName]: (call: Call<K>) => Promise<RequestResults[K]> | RequestResults[K];
};

/** What the handlers of one connection work with. */
export interface HandlerPorts {
  readonly services: ChatServices;
  readonly feed: ViewFeed;
  readonly moves: PageMoves;
}

/** Returns the handlers of one connection. */
export function createHandlers({ services, feed, moves }: HandlerPorts): Handlers {
  const { approvals, context, current, models, modes, opener, queue, retrace, sessions } = services;
  const { sheets, t, texts } = services;
  const submitting = new Submitting();
  let searching = new AbortController();
  let finding = new AbortController();

  const show = async (id: SessionId): Promise<void> => {
    const session = await current.set(id);
    feed.show(session);
    feed.wish(session, 'composer');
  };

  return {
    async ready({ params }) {
      if (params.protocol !== protocolVersion)
        throw new RetraceError('invalid', t('Retrace was updated. Reload the window to go on.'));
      const session = await current.get();
      return { view: feed.start(session), ...texts };
    },

    async send({ params, session }) {
      const stopThenSend: Submit = async (one, draft) => {
        await retrace.stop(one);
        await services.submit(one, draft);
      };
      await submitting.submit(
        await session(),
        params,
        params.stopFirst === true ? stopThenSend : services.submit,
      );
      return { accepted: true };
    },
    async queue({ params, session }) {
      await submitting.submit(await session(), params, (one, draft) => queue.add(one, draft));
      return null;
    },
    async queued({ params, session }) {
      const { queuedId, action } = params;
      const one = await session();
      if (action === 'drop') await queue.drop(one, queuedId);
      else if (action === 'send') await queue.sendNow(one, queuedId);
      else {
        await queue.edit(one, queuedId);
        feed.wish(one, 'composer');
      }
      return null;
    },
    async stop({ session }) {
      await retrace.stop(await session());
      return null;
    },
    async continueSummarised({ session }) {
      await services.continueSummarised(await session());
      return null;
    },
    async saveDraft({ params, session }) {
      await submitting.save(await session(), params);
      return null;
    },
    async takeBackDraft({ session }) {
      await (await session()).takeBackDraft();
      return null;
    },
    async dropAside({ session }) {
      await (await session()).dropAside();
      return null;
    },

    async planMove({ params, session, progress }) {
      return moves.plan(await session(), params, progress);
    },
    async applyMove({ params, session, progress }) {
      return { applied: await moves.apply(await session(), params, progress) };
    },
    async rescopeMove({ params }) {
      await sheets.rescope(params.planId, params.scope);
      return null;
    },
    async cancelMove({ params, session }) {
      moves.cancel(await session(), params.planId);
      return null;
    },
    async compareFile({ params }) {
      await opener.compareFile(params.planId, params.uri);
      return null;
    },
    async compareAll({ params }) {
      await opener.compareAll(params.planId);
      return null;
    },
    async bringHere({ params, session, progress }) {
      await moves.bringHere(await session(), params.uris, progress);
      return null;
    },

    async fork({ params, session }) {
      const { messageId } = params;
      const made = await retrace.fork(
        await session(),
        messageId === undefined ? {} : { messageId },
      );
      await show(made.id);
      return { sessionId: made.id };
    },
    async answerApproval({ params }) {
      await approvals.answer(params.approvalId, params.answer);
      return null;
    },
    async makeRoom({ params, progress }) {
      await patiently(progress, () => services.makeRoom(params.how));
      return null;
    },
    async dismissLine({ params, session }) {
      const one = await session();
      one.setLines(one.lines.filter((line) => line.id !== params.lineId));
      return null;
    },

    async listSessions() {
      return { sessions: await sessionRows(sessions, current.id) };
    },
    async findInConversation({ params, session }) {
      return findInSession((await session()).state, params.text, params.everywhere);
    },
    async searchSessions({ params, progress }) {
      searching.abort();
      searching = new AbortController();
      const goesOn = setInterval(() => progress(''), 10_000);
      try {
        return await services.search.find(params.text, true, searching.signal);
      } finally {
        clearInterval(goesOn);
      }
    },
    async openSession({ params }) {
      await show(params.sessionId);
      return null;
    },
    async newSession() {
      const made = await sessions.create();
      await show(made.id);
      return { sessionId: made.id };
    },

    async keepSession({ params, progress }) {
      await patiently(progress, () => services.keepSession(params.action, params.sessionId));
      return { sessions: await sessionRows(sessions, current.id) };
    },

    async readMessages({ params, session }) {
      return { messages: feed.read(await session(), params.ids) };
    },

    async listModels({ session }) {
      return { models: await models.list(await session()) };
    },
    async selectModel({ params, session }) {
      await models.select(await session(), params.model);
      return null;
    },
    async selectMode({ params, session }) {
      await modes.select(await session(), params.mode);
      return null;
    },

    async attachFiles({ session }) {
      const one = await session();
      const chosen = await opener.attachFiles(one);
      if (chosen.length === 0) return null;
      const { text, attachments } = one.draft.draft;
      await one.putDraft({ text, attachments: [...attachments, ...chosen] }, true);
      feed.wish(one, 'composer');
      return null;
    },
    async findContext({ params, session }) {
      finding.abort();
      const own = new AbortController();
      finding = own;
      try {
        return { items: await context.find(await session(), params, own.signal) };
      } catch (error) {
        if (own.signal.aborted) return { items: [] };
        throw error;
      }
    },
    async takeContext({ params, session }) {
      return { attachment: context.take(await session(), params.what) };
    },
    async openFolder() {
      await opener.openFolder();
      return null;
    },
    async addModel() {
      await opener.addModel();
      return null;
    },
    async openChange({ params, session }) {
      await opener.openChange(await session(), params.messageId, params.uri);
      return null;
    },
    async openChanges({ params, session }) {
      await opener.openChanges(await session(), params.messageId);
      return null;
    },
    async openLink({ params, session }) {
      await opener.openLink(await session(), params.href);
      return null;
    },
    async insertCode({ params }) {
      await opener.insertCode(params.text);
      return null;
    },
    async compareCode({ params }) {
      await opener.compareCode(params.text);
      return null;
    },
    async copy({ params }) {
      await opener.copy(params.text);
      return null;
    },
    focusChanged({ params }) {
      services.focusChanged(params.focused);
      return null;
    },
  };
}

/** Somebody who thinks about a question is no silence. */
async function patiently(
  progress: (text: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  const thinking = setInterval(() => progress(''), 10_000);
  try {
    await work();
  } finally {
    clearInterval(thinking);
  }
}
