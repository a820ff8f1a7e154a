import type { Composer } from '../drafts';
import type { Answer } from '../host';
import { isComposing, isSendKey } from '../keys';
import type { Page } from '../page';
import { completed, completions, isCommand, type SlashItem } from '../slash';
import { t } from '../strings';

/** Where the list of commands stands: which one is chosen, and the text it was closed for. */
export const slashState: { chosen: number; closedFor: string | undefined } = {
  chosen: 0,
  closedFor: undefined,
};

/** Returns the commands on offer for what is in the composer now, which may be newer than what is drawn. */
export function offeredCommands({ composer }: Page): readonly SlashItem[] {
  return slashState.closedFor === composer.text ? [] : completions(composer.text);
}

/** How a message goes: at once, after the running reply, or in its place. */
export type Way = 'send' | 'queue' | 'stopFirst';

/** A message that the host has yet to take, and how the next one goes that was sent meanwhile. */
interface OnItsWay {
  readonly text: string;
  readonly sessionId: string;
  taken?: boolean;
  next?: { readonly way: Way; readonly sessionId: string };
}
let onItsWay: OnItsWay | undefined;

/**
 * Sends what is in the composer, or has it wait while a reply is being written; it stays there until the host has taken
 * it. A command never waits: it is about the conversation as it is now.
 */
export function send(page: Page, way: Way = 'send'): void {
  if (page.composer.empty) return;
  const { draft } = page.composer;
  const { sessionId } = page;
  if (onItsWay !== undefined) {
    // The same text is the same key pressed twice; another one goes when the first is taken.
    if (onItsWay.sessionId === sessionId && onItsWay.text === draft.text) return;
    onItsWay.next = { way, sessionId };
    return;
  }
  const running = page.view?.running === true;
  const goes = !running ? 'send' : way === 'send' && !isCommand(draft.text) ? 'queue' : way;
  page.composer.handOver();
  void take(page, draft, sessionId, goes);
}

async function take(
  page: Page,
  draft: Composer['draft'],
  sessionId: string,
  way: Way,
): Promise<void> {
  const sent: OnItsWay = { text: draft.text, sessionId };
  onItsWay = sent;
  try {
    await page.working('send', async () => {
      sent.taken = await submit(page, draft, sessionId, way);
    });
  } finally {
    onItsWay = undefined;
  }
  const { next } = sent;
  // Where it was refused, the user shall see why before anything follows it.
  const goesOn = next !== undefined && (sent.taken === true || next.sessionId !== sessionId);
  if (goesOn && page.sessionId === next.sessionId) send(page, next.way);
}

async function submit(
  page: Page,
  draft: Composer['draft'],
  sessionId: string,
  way: Way,
): Promise<boolean> {
  const { version } = page.composer;
  const options = {
    late: (late: Answer<'send' | 'queue'>): void => {
      if (late.ok) page.composer.sent(draft, sessionId);
    },
  };
  const answer =
    way === 'queue'
      ? await page.host.request('queue', sessionId, { draft, version }, options)
      : await page.host.request(
          'send',
          sessionId,
          { draft, version, ...(way === 'stopFirst' && { stopFirst: true }) },
          options,
        );
  if (answer.ok) {
    // What went wrong before is settled by what went well now.
    page.notes = [];
    page.composer.sent(draft, sessionId);
    page.follow();
    return true;
  }
  const rewinds = /^\/rewind\b/u.test(draft.text.trim());
  const stopFirst =
    answer.code === 'run_active'
      ? {
          label: t(rewinds ? 'stopAndRewind' : 'stopAndGoOn'),
          run: () => void take(page, draft, sessionId, 'stopFirst'),
        }
      : undefined;
  page.explain('send', answer, t('send'), stopFirst);
  return false;
}

export function onComposerKey(page: Page, event: KeyboardEvent): void {
  // Keys of a text being composed belong to the input method.
  if (isComposing(event)) return;
  const items = offeredCommands(page);
  if (items.length > 0 ? onMenuKey(page, event, items) : onMentionKey(page, event)) {
    event.preventDefault();
    return;
  }
  if (onHistoryKey(page, event)) {
    event.preventDefault();
    return;
  }
  const insteadOfRunning = event.key === 'Enter' && event.altKey && page.view?.running === true;
  if (!insteadOfRunning && !isSendKey(event, page.view?.sendKey ?? 'enter')) return;
  event.preventDefault();
  send(page, insteadOfRunning ? 'stopFirst' : 'send');
}

/** Up at the very beginning goes to older messages, Down at the very end back, Escape to the draft. */
function onHistoryKey({ composer }: Page, event: KeyboardEvent): boolean {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement) || event.shiftKey || event.altKey) return false;
  if (event.ctrlKey || event.metaKey || field.selectionStart !== field.selectionEnd) return false;
  if (event.key === 'Escape') return composer.leaveHistory();
  if (event.key === 'ArrowUp' && field.selectionStart === 0) return composer.recall(-1);
  if (event.key === 'ArrowDown' && field.selectionEnd === field.value.length)
    return composer.recall(1);
  return false;
}

function onMentionKey({ mentions }: Page, event: KeyboardEvent): boolean {
  const { items } = mentions;
  if (items.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) mentions.step(step);
  else if (event.key === 'Escape') mentions.close();
  else {
    if (event.key === ' ') mentions.complete();
    const item = items[mentions.chosen];
    const takes = (event.key === 'Tab' || event.key === 'Enter') && !event.shiftKey;
    if (item === undefined || !takes) return false;
    mentions.take(item);
  }
  return true;
}

function onMenuKey(page: Page, event: KeyboardEvent, items: readonly SlashItem[]): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) {
    slashState.chosen = (slashState.chosen + step + items.length) % items.length;
    page.update();
    return true;
  }
  if (event.key === 'Escape') {
    slashState.closedFor = page.composer.text;
    page.update();
    return true;
  }
  const item = items[slashState.chosen];
  const takes = event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey);
  if (!item || !takes || event.shiftKey) return false;
  page.composer.fill(completed(item));
  slashState.closedFor = page.composer.text;
  return true;
}
