/** Returns the text of lines that hold one character a byte. */
export function byteText(lines: string): string {
  const bytes = Uint8Array.from(lines, (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes).replace(/\r?\n$/u, '');
}
