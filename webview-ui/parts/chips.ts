import { html, nothing } from 'lit';
import { attachmentLabel, type Attachment } from '../attachments';
import { t } from '../strings';
import { icon } from './icon';

/** Draws attachments as chips; with `remove` each can be taken off. */
export function chips(
  attachments: readonly Attachment[],
  remove?: (index: number) => void,
): unknown {
  if (attachments.length === 0) return nothing;
  return html`<ul class="chips" aria-label=${t('attachments')}>
    ${attachments.map((attachment, index) => {
      const label = attachmentLabel(attachment);
      return html`<li class="chip" title=${'uri' in attachment ? label : attachment.name}>
        ${icon(isPicture(attachment) ? 'file-media' : 'attach')}<span class="chip-label"
          >${label}</span
        >${
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
  </ul>`;
}

function isPicture(attachment: Attachment): boolean {
  return 'mime' in attachment && attachment.mime.startsWith('image/');
}
