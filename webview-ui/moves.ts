import type { RequestParams } from '../src/protocol/messages';
import type { ConflictChoice, Scope, SheetView, UserView } from '../src/protocol/viewModel';
import type { Attachment } from './attachments';
import type { Answer } from './host';
import type { Note, Page } from './page';
import { t } from './strings';

/** A user message being edited in its place. */
export interface EditState {
  readonly messageId: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** What was chosen in the open sheet. */
export interface SheetState {
  readonly planId: string;
  readonly choices: Readonly<Record<string, ConflictChoice>>;
  readonly dontAskAgain: boolean;
}

type Plan = RequestParams['planMove'];

const labels = {
  rewind: 'rewind',
  regenerate: 'regenerate',
  edit: 'edit',
  undo: 'undo',
  redo: 'redo',
} as const;

/** Begins a move: the host opens the sheet if there is something to ask, and else does it at once. */
export function move(page: Page, plan: Plan, control: string): Promise<void> {
  return page.working(control, () => begin(page, plan, control), plan.messageId);
}

async function begin(page: Page, plan: Plan, control: string): Promise<void> {
  const { sessionId } = page;
  // The host keeps the draft of before the move, so it must know all of it.
  page.composer.flush();
  const answer = await page.host.request('planMove', sessionId, plan, {
    // Nobody waits for this question any more: it must not come out of the blue.
    late: (late) => {
      if (late.ok && late.value.needsAnswer)
        page.tell('cancelMove', { planId: late.value.planId }, sessionId);
    },
  });
  if (answer.ok) page.notes = [];
  else refuse(page, answer, plan, control);
}

function refuse(
  page: Page,
  answer: Extract<Answer<'planMove'>, { ok: false }>,
  plan: Plan,
  control: string,
): void {
  if (answer.code === 'nothing_to_do') {
    page.note(answer.message);
    return;
  }
  const stopFirst =
    answer.code === 'run_active'
      ? stopThen(page, plan.verb === 'rewind', control, () => begin(page, plan, control))
      : undefined;
  page.explain('planMove', answer, nameOf(plan.verb), stopFirst);
}

/** Offers to stop the running reply, wait until it has settled, and go on with what it refused. */
export function stopThen(
  page: Page,
  rewinds: boolean,
  control: string,
  goOn: () => Promise<unknown>,
): NonNullable<Note['action']> {
  return {
    label: t(rewinds ? 'stopAndRewind' : 'stopAndGoOn'),
    run: () =>
      void page.working(control, async () => {
        const stopped = await page.ask('stop', {}, { what: t('stop') });
        if (stopped !== undefined) await goOn();
      }),
  };
}

function nameOf(verb: Plan['verb']): string {
  return t(verb in labels ? labels[verb as keyof typeof labels] : 'filesLine');
}

/** Returns what is chosen in a sheet: what the user chose, else the first choice of each file. */
export function sheetState(page: Page, sheet: SheetView): SheetState {
  const old = page.sheet;
  if (old?.planId === sheet.planId) return old;
  // A plan made anew keeps the choices that it still offers.
  const choices: Record<string, ConflictChoice> = {};
  for (const { uri, choices: offered } of sheet.files) {
    const [first] = offered;
    if (first === undefined) continue;
    const chosen = old?.choices[uri];
    choices[uri] = chosen && offered.includes(chosen) ? chosen : first;
  }
  page.sheet = { planId: sheet.planId, choices, dontAskAgain: false };
  return page.sheet;
}

export function choose(page: Page, uri: string, choice: ConflictChoice): void {
  if (!page.sheet) return;
  page.sheet = { ...page.sheet, choices: { ...page.sheet.choices, [uri]: choice } };
  page.update();
}

export function rescope(page: Page, sheet: SheetView, scope: Scope): void {
  if (scope === sheet.scope) return;
  const ask = () => page.ask('rescopeMove', { planId: sheet.planId, scope }, { what: t('scope') });
  void page.working('sheet.scope', ask);
}

/** Goes on with the plan of the open sheet. */
export function applySheet(page: Page, sheet: SheetView): void {
  const { planId, choices, dontAskAgain } = sheetState(page, sheet);
  const ask = () =>
    page.ask(
      'applyMove',
      { planId, choices: { ...choices }, dontAskAgain: dontAskAgain && sheet.plain },
      { what: sheet.action },
    );
  void page.working('sheet.apply', ask);
}

export function cancelSheet(page: Page, sheet: SheetView): void {
  const ask = () => page.ask('cancelMove', { planId: sheet.planId }, { what: t('cancel') });
  void page.working('sheet.cancel', ask);
}

export function beginEdit(page: Page, message: UserView): void {
  const before = page.edit?.messageId;
  const attachments = message.attachments.map((attachment) => attachment.data);
  page.edit = { messageId: message.id, text: message.text, attachments };
  if (before !== undefined) page.touch(before);
  page.touch(message.id);
}

export function changeEdit(page: Page, change: Partial<EditState>): void {
  if (!page.edit) return;
  page.edit = { ...page.edit, ...change };
  page.touch(page.edit.messageId);
}

export function endEdit(page: Page): void {
  const id = page.edit?.messageId;
  if (id === undefined) return;
  page.edit = undefined;
  page.focusWish = { messageId: id };
  page.touch(id);
}

/** Sends the edited message as another version beside the old one. */
export function sendEdit(page: Page): void {
  const { edit } = page;
  if (!edit || (edit.text.trim() === '' && edit.attachments.length === 0)) return;
  const draft = { text: edit.text, attachments: [...edit.attachments] };
  const plan: Plan = { verb: 'edit', messageId: edit.messageId, draft };
  void move(page, plan, `edit.${edit.messageId}`);
}
