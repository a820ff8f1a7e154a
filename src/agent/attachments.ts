import { fromBase64, toBase64 } from '../core/base64';
import { maxAttachmentBytes } from '../core/estimate';
import type { Attachment } from '../core/node';
import type { RequestNode } from '../core/requestNodes';
import type { AgentTurn } from '../engine/ports';
import { imageMime, type Picture } from './images';

/** An attachment as a request holds it. */
export type AttachedContent =
  { readonly kind: 'text'; readonly text: string } | ({ readonly kind: 'image' } & Picture);

export type AttachedContents = ReadonlyMap<Attachment, AttachedContent>;

/**
 * Reads what the messages of a request have attached, once a turn, so that every step sends the same. A model that does not
 * see is told of pictures in words.
 */
export async function readAttachments(
  nodes: readonly RequestNode[],
  read: AgentTurn['attachment'],
  sees = true,
): Promise<AttachedContents> {
  const contents = new Map<Attachment, AttachedContent>();
  for (const node of nodes) {
    if (node.role !== 'user') continue;
    for (const attachment of node.attachments) {
      const content = await attachedContent(attachment, read);
      contents.set(attachment, sees ? content : inWords(attachment, content));
    }
  }
  return contents;
}

async function attachedContent(
  attachment: Attachment,
  read: AgentTurn['attachment'],
): Promise<AttachedContent> {
  if ('uri' in attachment) {
    const file = await read(attachment).catch(() => undefined);
    if (file === 'refused') {
      return note(`Attached file ${attachment.uri}: the user did not allow to read it.`);
    }
    if (file === undefined)
      return note(`Attached file ${attachment.uri}: it can no longer be read.`);
    if (file.kind === 'folder') return textContent(`folder ${file.label}`, file.bytes);
    const mime = imageMime(file.bytes);
    return mime === undefined
      ? textContent(`file ${file.label}`, file.bytes)
      : { kind: 'image', base64: toBase64(file.bytes), mime };
  }
  if (attachment.mime.startsWith('image/')) {
    return { kind: 'image', base64: attachment.base64, mime: attachment.mime };
  }
  const bytes = fromBase64(attachment.base64);
  return bytes === undefined
    ? note(`Attached ${attachment.name}: it arrived damaged.`)
    : textContent(attachment.name, bytes);
}

function inWords(attachment: Attachment, content: AttachedContent): AttachedContent {
  if (content.kind === 'text') return content;
  const name = 'name' in attachment ? attachment.name : attachment.uri;
  return note(`Attached image ${name}: left out, for you do not see images. Say so if it matters.`);
}

function note(text: string): AttachedContent {
  return { kind: 'text', text: `[${text}]` };
}

function textContent(label: string, bytes: Uint8Array): AttachedContent {
  const truncated = bytes.length > maxAttachmentBytes;
  const text = decoded(truncated ? bytes.subarray(0, maxAttachmentBytes) : bytes, truncated);
  if (text === undefined) {
    return note(`Attached ${label}: not text (${bytes.length} bytes), left out.`);
  }
  const cut = truncated ? `\n[The file is cut here: it has ${bytes.length} bytes.]` : '';
  const fence = fenceFor(text);
  const end = text.endsWith('\n') ? '' : '\n';
  return { kind: 'text', text: `Attached ${label}:\n${fence}\n${text}${end}${fence}${cut}` };
}

function decoded(bytes: Uint8Array, truncated: boolean): string | undefined {
  try {
    // A cut may fall inside a character: as part of a stream, its beginning is simply left out.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: truncated });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/** A fence longer than any run of backticks in the text, so that the text cannot end it. */
function fenceFor(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}
