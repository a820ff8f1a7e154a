import type { AttachmentView } from '../src/protocol/viewModel';

export type Attachment = AttachmentView['data'];

const sizeLimit = 20 * 1024 * 1024;

/** Returns what an attachment's chip says. */
export function attachmentLabel(attachment: Attachment): string {
  if ('name' in attachment) return attachment.name;
  const path = attachment.uri.replace(/[?#].*$/u, '').replace(/\/+$/u, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    // A name with a bare % is shown as it is written.
    return last;
  }
}

export interface ReadFiles {
  readonly attachments: readonly Attachment[];
  readonly tooLarge: readonly string[];
}

/** Reads pasted files as attachments that carry their bytes. */
export async function readFiles(
  files: readonly File[],
  nameless: (extension: string) => string,
): Promise<ReadFiles> {
  const attachments: Attachment[] = [];
  const tooLarge: string[] = [];
  for (const file of files) {
    const name = file.name || nameless(file.type.split('/')[1] ?? 'bin');
    if (file.size > sizeLimit) tooLarge.push(name);
    else {
      const mime = file.type || 'application/octet-stream';
      attachments.push({ name, mime, base64: await base64Of(file) });
    }
  }
  return { attachments, tooLarge };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error ?? new Error('unreadable file'));
    reader.readAsDataURL(file);
  });
}
