import type { OpenSession } from '../engine/openSession';
import type { Log, Translate } from '../engine/ports';
import type { StatusPorts } from './statusItem';

/** What is told while the window has no focus: nothing, what waits for an answer, or the end of a turn as well. */
export const noticeKinds = ['off', 'waiting', 'all'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export interface NoticePorts extends Pick<StatusPorts, 'sessions' | 'approvals'> {
  readonly which: () => NoticeKind;
  /** Says whether somebody is looking at the window. */
  readonly focused: () => boolean;
  /** Shows a message and resolves to whether its button was pressed. */
  readonly show: (text: string, button: string) => Promise<boolean>;
  /** Brings the chat up with the session. */
  readonly reveal: (session: OpenSession) => Promise<void>;
  readonly log: Log;
  readonly t: Translate;
}

/**
 * Tells people who look elsewhere that an answer of theirs is waited for, or that a turn has ended; one message a session
 * at a time. Returns what ends that.
 */
export function tellNews(ports: NoticePorts): () => void {
  const { sessions, approvals } = ports;
  const running = new Set<string>();
  const asked = new Set<string>();
  const shown = new Set<string>();

  const tell = async (session: OpenSession, text: string): Promise<void> => {
    if (ports.focused() || shown.has(session.id)) return;
    shown.add(session.id);
    try {
      if (await ports.show(text, ports.t('Show'))) await ports.reveal(session);
    } catch (error) {
      ports.log.warn('A session could not be shown', error);
    } finally {
      shown.delete(session.id);
    }
  };
  const look = (): void => {
    const waiting = approvals.pending();
    for (const { approvalId, sessionId } of waiting) {
      const session = sessions.opened(sessionId);
      if (asked.has(approvalId) || session === undefined) continue;
      asked.add(approvalId);
      if (ports.which() !== 'off')
        void tell(session, ports.t('“{0}” waits for your answer.', session.info.title));
    }
    const open = new Set(waiting.map(({ approvalId }) => approvalId));
    for (const id of asked) if (!open.has(id)) asked.delete(id);
    for (const session of sessions.allOpened) {
      if (session.running !== undefined) running.add(session.id);
      else if (running.delete(session.id) && ports.which() === 'all') {
        const text = endOf(session, ports.t);
        if (text !== undefined) void tell(session, text);
      }
    }
  };
  const ends = [sessions.listChanged.on(look), approvals.changed.on(look)];
  return () => {
    for (const end of ends) end();
  };
}

/** Says how the last turn ended; one that was stopped needs no telling. */
function endOf({ state, info }: OpenSession, t: Translate): string | undefined {
  const head = state.nodes.get(state.standing.head ?? '');
  if (head?.role !== 'assistant') return undefined;
  if (head.status === 'done') return t('“{0}” is answered.', info.title);
  return head.status === 'failed' ? t('The reply in “{0}” failed.', info.title) : undefined;
}
