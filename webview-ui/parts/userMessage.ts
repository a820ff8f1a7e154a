import { html, nothing } from 'lit';
import type { UserView } from '../../src/protocol/viewModel';
import { excerpt, timeOf } from '../format';
import { beginEdit, move } from '../moves';
import type { Page } from '../page';
import { t } from '../strings';
import { actionButtons, type Action } from './actions';
import { chips } from './chips';
import { editor } from './editor';
import { menuContext } from './message';
import { copyText, fork } from './verbs';
import { siblingsSwitch } from './siblings';

/** Draws what the user said, with what can be done from there. */
export function userMessage(page: Page, shown: UserView): unknown {
  if (page.edit?.messageId === shown.id) return editor(page, page.edit);
  return html`<article
    class="message user"
    tabindex="-1"
    data-message=${shown.id}
    data-testid="user-message"
    data-vscode-context=${menuContext(page, 'user', shown.id)}
    aria-label=${t('youSaid', excerpt(shown.text))}
    title=${timeOf(shown.createdAt, page.language)}
  >
    <div class="bubble">${shown.text}</div>
    ${chips(shown.attachments.map((attachment) => attachment.data))}
    <div class="toolbar" role="toolbar" aria-label=${t('userActions')}>
      ${actionButtons(page, shown.id, actionsOf(page, shown))}
    </div>
    ${
      shown.siblings.count > 1
        ? html`<div class="foot">
            <span class="space"></span>${siblingsSwitch(page, shown.id, shown.siblings)}
          </div>`
        : nothing
    }
  </article>`;
}

function actionsOf(page: Page, { id, text, ...shown }: UserView): readonly Action[] {
  return [
    {
      id: 'rewind',
      icon: 'discard',
      text: t('rewind'),
      title: t('rewindTitle'),
      name: t('rewind'),
      main: true,
      key: 'r',
      run: () => void move(page, { verb: 'rewind', messageId: id }, `rewind.${id}`),
    },
    {
      id: 'edit',
      icon: 'edit',
      text: t('edit'),
      title: t('editTitle'),
      name: t('edit'),
      key: 'e',
      run: () => beginEdit(page, { id, text, ...shown }),
    },
    {
      id: 'fork',
      icon: 'repo-forked',
      text: t('fork'),
      title: t('forkTitle'),
      name: t('fork'),
      key: 'f',
      run: () => fork(page, id),
    },
    {
      id: 'copy',
      icon: 'copy',
      title: t('copyTitle'),
      name: t('copy'),
      key: 'c',
      run: () => copyText(page, text),
    },
  ];
}
