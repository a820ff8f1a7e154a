import { html, type TemplateResult } from 'lit';
import type { RequestParams } from '../../src/protocol/messages';
import type { ApprovalView } from '../../src/protocol/viewModel';
import type { Page } from '../page';
import { t } from '../strings';
import { icon } from './icon';

const buttons = [
  { answer: 'once', text: 'allowOnce', appearance: 'primary' },
  { answer: 'session', text: 'allowSession', appearance: 'secondary' },
  { answer: 'always', text: 'allowAlways', appearance: 'secondary' },
  { answer: 'asIs', text: 'allowAsIs', appearance: 'secondary' },
  { answer: 'deny', text: 'deny', appearance: 'secondary' },
] as const satisfies readonly {
  answer: RequestParams['answerApproval']['answer'];
  text: string;
  appearance: string;
}[];

/** How a long turn is let go on, or ended. */
const goesOn = {
  once: 'goOn',
  session: 'goOn',
  always: 'goOn',
  asIs: 'goOn',
  deny: 'stop',
} as const;

/** Draws what the agent waits to be allowed. */
export function approvals(page: Page, waiting: readonly ApprovalView[]): unknown {
  return waiting.map((one) => approval(page, one));
}

interface Choice {
  readonly answer: string;
  readonly label: string;
  readonly appearance: string;
  readonly choose: () => Promise<unknown>;
}

function approval(page: Page, view: ApprovalView): TemplateResult {
  const { approvalId, kind, title, detail, note } = view;
  const control = `approval.${approvalId}`;
  const full = kind === 'storage';
  const choices = full ? storageChoices(page, view) : approvalChoices(page, view);
  return html`<section
    class="card approval"
    role="group"
    aria-label=${full ? title : t('approval', title)}
    data-testid="approval"
  >
    <div class="approval-title">${icon(full ? 'database' : 'shield')}<span>${title}</span></div>
    ${detail === '' ? '' : html`<pre class="approval-detail" tabindex="0">${detail}</pre>`}
    ${note === undefined ? '' : html`<div class="approval-note">${note}</div>`}
    <div class="approval-buttons">
      ${choices.map(
        ({ answer, label, appearance, choose }) =>
          html`<vscode-button
            appearance=${appearance}
            data-answer=${answer}
            ?disabled=${page.busy(control)}
            @click=${() => void page.working(control, choose)}
            >${label}</vscode-button
          >`,
      )}
    </div>
  </section>`;
}

function approvalChoices(
  page: Page,
  { approvalId, kind, answers }: ApprovalView,
): readonly Choice[] {
  return buttons
    .filter(({ answer }) => answers.includes(answer))
    .map(({ answer, text: usual, appearance }) => {
      const label = t(kind === 'continue' ? goesOn[answer] : usual);
      const choose = (): Promise<unknown> =>
        page.ask('answerApproval', { approvalId, answer }, { what: label });
      return { answer, appearance, label, choose };
    });
}

/** Room can be made; then the question goes by itself. */
function storageChoices(page: Page, { approvalId }: ApprovalView): readonly Choice[] {
  const room = (how: RequestParams['makeRoom']['how'], label: string): Choice => ({
    ...{ answer: how, label, appearance: how === 'raise' ? 'primary' : 'secondary' },
    choose: () => page.ask('makeRoom', { how }, { what: label }),
  });
  const answer = (answer: 'once' | 'deny', label: string): Choice => ({
    ...{ answer, label, appearance: 'secondary' },
    choose: () => page.ask('answerApproval', { approvalId, answer }, { what: label }),
  });
  return [
    room('raise', t('storageRaise')),
    room('clean', t('storageClean')),
    answer('once', t('storageGoOn')),
    answer('deny', t('storageStop')),
  ];
}
