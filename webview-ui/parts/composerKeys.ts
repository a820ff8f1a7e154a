import type { Composer } from '../drafts';
import { isComposing } from '../keys';
import { stopThen } from '../moves';
import type { Page } from '../page';
import { completed, type SlashItem } from '../slash';
import { t } from '../strings';

/** Where the list of commands stands: which one is chosen, and the text it was closed for. */
export const slashState: { chosen: number; closedFor: string | undefined } = {
  chosen: 0,
  closedFor: undefined,
};

/** Sends what is in the composer; it stays there until the host has taken it. */
export function send(page: Page): void {
  if (page.composer.empty) return;
  const { draft } = page.composer;
  const { sessionId } = page;
  void page.working('send', () => submit(page, draft, sessionId));
}

async function submit(page: Page, draft: Composer['draft'], sessionId: string): Promise<void> {
  const answer = await page.host.request(
    'send',
    sessionId,
    { draft },
    {
      late: (late) => {
        if (late.ok) page.composer.sent(draft, sessionId);
      },
    },
  );
  if (answer.ok) {
    // What went wrong before is settled by what went well now.
    page.notes = [];
    page.composer.sent(draft, sessionId);
    page.follow();
    return;
  }
  const rewinds = /^\/rewind\b/u.test(draft.text.trim());
  const stopFirst =
    answer.code === 'run_active'
      ? stopThen(page, rewinds, 'send', () => submit(page, draft, sessionId))
      : undefined;
  page.explain('send', answer, t('send'), stopFirst);
}

export function onComposerKey(page: Page, event: KeyboardEvent, items: readonly SlashItem[]): void {
  // Keys of a text being composed belong to the input method.
  if (isComposing(event)) return;
  if (items.length > 0 && onMenuKey(page, event, items)) {
    event.preventDefault();
    return;
  }
  if (onHistoryKey(page, event)) {
    event.preventDefault();
    return;
  }
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
  event.preventDefault();
  send(page);
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
