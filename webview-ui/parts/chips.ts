import { html, nothing } from 'lit';
import { attachmentLabel, attachmentTitle, type Attachment } from '../attachments';
import { t } from '../strings';
import { icon } from './icon';

/** Draws attachments as chips; with `remove` each can be taken off. `more` is drawn after them. */
export function chips(
  attachments: readonly Attachment[],
  remove?: (index: number) => void,
  more?: unknown,
): unknown {
  if (attachments.length === 0 && more === undefined) return nothing;
  return html`<ul class="chips" aria-label=${t('attachments')}>
    ${attachments.map((attachment, index) => {
      const label = attachmentLabel(attachment);
      return html`<li class="chip" title=${attachmentTitle(attachment)}>
        ${icon(signOf(attachment))}<span class="chip-label">${label}</span>${
          remove
            ? html`<button
                type="button"
                class="act"
                title=${t('removeAttachment', label)}
                aria-label=${t('removeAttachment', label)}
                @click=${() => remove(index)}
              >
                ${icon('close')}
              </button>`
            : nothing
        }
      </li>`;
    })}
    ${more ?? nothing}
  </ul>`;
}

function signOf(attachment: Attachment): string {
  if ('uri' in attachment) return attachment.uri.endsWith('/') ? 'folder' : 'file';
  return attachment.mime.startsWith('image/') ? 'file-media' : 'note';
}
