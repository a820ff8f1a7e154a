const table = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

/** Returns the CRC-32 (as in zip and PNG) of some bytes, going on from `before` where there are several pieces. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  // By index: going through them with an iterator takes several times as long, and some are megabytes.
  for (let at = 0; at < bytes.length; at++)
    crc = (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
