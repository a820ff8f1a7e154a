import type { AttachmentView } from '../src/protocol/viewModel';
import { t } from './strings';

export type Attachment = AttachmentView['data'];

const sizeLimit = 20 * 1024 * 1024;

/** Returns what an attachment's chip says. */
export function attachmentLabel(attachment: Attachment): string {
  if ('name' in attachment) return attachment.name;
  const path = attachment.uri.replace(/[?#].*$/u, '').replace(/\/+$/u, '');
  return decoded(path.slice(path.lastIndexOf('/') + 1));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A name with a bare % is shown as it is written.
    return name;
  }
}

/** Returns what is said of an attachment when it is pointed at: where it is, or how large. */
export function attachmentTitle(attachment: Attachment): string {
  if ('uri' in attachment) return decoded(attachment.uri.replace(/^file:\/\//u, ''));
  const bytes = Math.round((attachment.base64.length * 3) / 4);
  return `${attachment.name} · ${sizeText(bytes)}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return t('sizeBytes', bytes);
  const kilo = bytes / 1_000;
  return kilo < 1_000 ? t('sizeKilo', Math.round(kilo)) : t('sizeMega', (kilo / 1_000).toFixed(1));
}

/** Longer text that is pasted becomes an attachment: it would push the message itself out of sight. */
const longText = { characters: 4_000, lines: 60 };

/** Returns a pasted text as an attachment, where it is too long to be part of the message. */
export function textAttachment(text: string): Attachment | undefined {
  const lines = text.split('\n').length;
  if (text.length < longText.characters && lines < longText.lines) return undefined;
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return { name: t('pastedText', lines), mime: 'text/plain', base64: btoa(binary) };
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
