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
  { answer: 'deny', text: 'deny', appearance: 'secondary' },
] as const satisfies readonly {
  answer: RequestParams['answerApproval']['answer'];
  text: string;
  appearance: string;
}[];

/** How a long turn is let go on, or ended. */
const goesOn = { once: 'goOn', session: 'goOn', always: 'goOn', deny: 'stop' } as const;

/** Draws what the agent waits to be allowed. */
export function approvals(page: Page, waiting: readonly ApprovalView[]): unknown {
  return waiting.map((one) => approval(page, one));
}

function approval(
  page: Page,
  { approvalId, kind, title, detail, answers, note }: ApprovalView,
): TemplateResult {
  const control = `approval.${approvalId}`;
  const label = t('approval', title);
  return html`<section
    class="card approval"
    role="group"
    aria-label=${label}
    data-testid="approval"
  >
    <div class="approval-title">${icon('shield')}<span>${title}</span></div>
    ${detail === '' ? '' : html`<pre class="approval-detail" tabindex="0">${detail}</pre>`}
    ${note === undefined ? '' : html`<div class="approval-note">${note}</div>`}
    <div class="approval-buttons">
      ${buttons
        .filter(({ answer }) => answers.includes(answer))
        .map(({ answer, text: usual, appearance }) => {
          const text = kind === 'continue' ? goesOn[answer] : usual;
          return html`<vscode-button
            appearance=${appearance}
            data-answer=${answer}
            ?disabled=${page.busy(control)}
            @click=${() =>
              void page.working(control, () =>
                page.ask('answerApproval', { approvalId, answer }, { what: t(text) }),
              )}
            >${t(text)}</vscode-button
          >`;
        })}
    </div>
  </section>`;
}
