import { uncoveredReasons, type UncoveredReason } from '../../core/changes';
import type { FileResult } from '../../core/journal';
import { keyUri, type FileKey, type SessionFolder } from '../../core/fileKey';
import type { Nodes } from '../../core/graph';
import type { Place } from '../../core/ids';
import { nodeText, type GraphNode } from '../../core/node';
import type { Conflict } from '../../core/fold';
import type { Translate } from '../../engine/ports';

const excerptLength = 48;

/** Returns the beginning of a text on one line, cut at a word where there is one. */
export function excerpt(text: string, length = excerptLength): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  if (line.length <= length) return line;
  // Half a surrogate pair would be drawn as a box.
  const cut = line.slice(0, length).replace(/[\uD800-\uDBFF]$/u, '');
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,.;:]+$/u, '')}…`;
}

/** Returns a file's URI; the key of a folder that the session does not have stands for itself. */
export function fileUri(folders: readonly SessionFolder[], file: FileKey): string {
  return keyUri(folders, file) ?? file;
}

/** Says why a file did not follow: the engine's own reasons in the user's language, others as they came. */
export function failureReason(t: Translate, { outcome, reason = '' }: FileResult): string {
  if (outcome === 'uncovered') {
    const known = ([...uncoveredReasons, 'blob missing'] as const).find((each) => each === reason);
    return known === undefined ? reason : uncoveredReason(t, known);
  }
  switch (reason) {
    case 'reading it back gave other bytes':
      return t('reading it back gave other bytes');
    case 'it was not renamed':
      return t('it was not renamed');
    case 'changed since':
      return t('it was changed since');
    case 'cancelled':
      return t('cancelled before it was reached');
    case 'its stored bytes are missing':
      return t('its kept copy is missing or damaged');
    case 'this kind of file cannot be written here':
      return t('this kind of file cannot be written here');
    default:
      return reason;
  }
}

/** Names a place of the conversation, or its start, by the beginning of its text. */
export function placeName(t: Translate, node: GraphNode | undefined): string {
  if (node === undefined) return t('the start');
  // What a fork took along for its changes only has no text here.
  if (node.role === 'files') return t('a message of the original session');
  const text = excerpt(nodeText(node));
  if (text !== '') return `“${text}”`;
  return node.role === 'assistant' ? t('a reply without text') : t('a message without text');
}

/** Names a place the files are at; a reply by the message it answers, for replies often begin alike. */
export function filesPlaceName(t: Translate, nodes: Nodes, place: Place): string {
  const node = place === null ? undefined : nodes.get(place);
  const whole = node?.role === 'files' && node.changes.length > 0 && nodes.get(node.parentId ?? '');
  // A file stands there whose changes were undone in part.
  if (whole && whole.role === 'assistant')
    return t('{0}, some changes undone', filesPlaceName(t, nodes, whole.id));
  const asked = node?.role === 'assistant' ? nodes.get(node.parentId ?? '') : undefined;
  return asked === undefined ? placeName(t, node) : t('the reply to {0}', placeName(t, asked));
}

/** Says why a file's bytes are not kept, with its size where that is why. */
export function uncoveredReason(
  t: Translate,
  reason: UncoveredReason | 'blob missing',
  size?: number,
): string {
  switch (reason) {
    case 'too large':
      return size === undefined ? t('too large') : sizeText(t, size);
    case 'special':
      return t('not an ordinary file');
    case 'unreadable':
      return t('it could not be read');
    case 'ignored by a command':
      return t('ignored files are not recorded');
    case 'not copied yet':
      return t('it was not copied in time');
    case 'storage full':
      return t('the storage was full');
    case 'unsaved notebook':
      return t('a notebook with unsaved changes');
    case 'imported':
      return t('imported without its bytes');
    case 'blob missing':
      return t('its kept copy is missing or damaged');
  }
}

/** Says why a file's changes cannot be put together. */
export function conflictReason(t: Translate, why: Conflict): string {
  switch (why) {
    case 'same lines':
      return t('you changed the same lines');
    case 'not text':
      return t('changed, and not text');
    case 'too large':
      return t('changed, and too large to merge');
    case 'took too long':
      return t('changed, and too much to merge');
    case 'changed':
      return t('changed meanwhile');
    case 'exists':
      return t('something else has its name');
    case 'missing':
      return t('it was deleted meanwhile');
    case 'unsaved':
      return t('its editor has unsaved changes');
  }
}

function sizeText(t: Translate, size: number): string {
  const mega = size / 1_000_000;
  return mega < 1 ? t('{0} kB', Math.round(size / 1_000)) : t('{0} MB', Math.round(mega));
}
