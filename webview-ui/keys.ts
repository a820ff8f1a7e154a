import type { SendKey } from '../src/protocol/viewModel';

/** Tells whether a key sends what a field holds, by the key the user chose; Shift begins a new line either way. */
export function isSendKey(event: KeyboardEvent, sendKey: SendKey): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey || isComposing(event)) return false;
  return sendKey === 'enter' || event.ctrlKey || event.metaKey;
}

/** Tells whether a key is part of composing text with an input method, which then means nothing to the page. */
export function isComposing(event: KeyboardEvent): boolean {
  // Some input methods end a composition before the key arrives, and only the old code still tells.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other sign of it
  return event.isComposing || event.keyCode === 229;
}
