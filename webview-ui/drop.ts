import { readFiles, type Attachment } from './attachments';
import { attach } from './mentions';
import type { Page } from './page';
import { t } from './strings';

/** What VS Code's own lists put on a drag, then what other programs do. */
const listTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/** Returns the files a drag names; web addresses are not files. */
export function droppedUris(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  for (const type of listTypes) {
    const uris = data
      .getData(type)
      .split(/\r?\n/u)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#') && line.length <= 8_000)
      .filter(
        (line) => /^[a-z][a-z0-9+.-]*:/iu.test(line) && !/^(?:https?|data|blob):/iu.test(line),
      );
    if (uris.length > 0) return [...new Set(uris)];
  }
  return [];
}

/** Attaches files that are dropped onto the page. VS Code lets a drag through to it while Shift is held. */
export function handleDrops(page: Page): void {
  const show = (over: boolean): void => {
    document.body.classList.toggle('dropping', over);
  };
  document.addEventListener('dragover', (event) => {
    const { dataTransfer } = event;
    if (dataTransfer === null || !holdsFiles(dataTransfer)) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'copy';
    show(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) show(false);
  });
  document.addEventListener('drop', (event) => {
    show(false);
    const { dataTransfer } = event;
    if (dataTransfer === null || !holdsFiles(dataTransfer) || !page.view) return;
    event.preventDefault();
    const uris = droppedUris(dataTransfer);
    page.focusWish = 'composer';
    if (uris.length > 0)
      attach(
        page,
        uris.map((uri): Attachment => ({ uri })),
      );
    else attachBytes(page, [...dataTransfer.files]);
  });
}

function holdsFiles({ types }: DataTransfer): boolean {
  return types.includes('Files') || listTypes.some((type) => types.includes(type));
}

function attachBytes(page: Page, files: readonly File[]): void {
  readFiles(files, (extension) => t('pastedName', extension)).then(
    ({ attachments, tooLarge }) => {
      attach(page, attachments);
      for (const name of tooLarge) page.note(t('attachmentTooLarge', name));
    },
    (error: unknown) => page.note(t('requestFailed', t('addContext'), String(error))),
  );
}
