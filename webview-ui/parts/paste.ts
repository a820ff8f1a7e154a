import { readFiles, textAttachment, type Attachment } from '../attachments';
import type { Page } from '../page';
import { t } from '../strings';

/** Takes the files of a paste, and text that is long, as attachments; other text is left to the field. */
export function pasted(
  page: Page,
  event: ClipboardEvent,
  add: (attachments: readonly Attachment[]) => void,
): void {
  const files = [...(event.clipboardData?.files ?? [])];
  if (files.length === 0) {
    const long = textAttachment(event.clipboardData?.getData('text/plain') ?? '');
    if (long === undefined) return;
    event.preventDefault();
    add([long]);
    return;
  }
  event.preventDefault();
  const read = readFiles(files, (extension) => t('pastedName', extension));
  read.then(
    ({ attachments, tooLarge }) => {
      if (attachments.length > 0) add(attachments);
      for (const name of tooLarge) page.note(t('attachmentTooLarge', name));
    },
    (error: unknown) => page.note(t('requestFailed', t('addContext'), String(error))),
  );
}
