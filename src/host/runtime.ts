import { nanoid } from 'nanoid';
import type { Runtime } from '../engine/ports';

/** The {@link Runtime} of every host: only what Node and a web worker have in common. */
export const hostRuntime: Runtime = {
  now: () => Date.now(),
  newId: () => nanoid(),
  async sha256(bytes) {
    const digest = await crypto.subtle.digest('SHA-256', unshared(bytes));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    );
  },
  deflate: (bytes) => through(bytes, new CompressionStream('gzip')),
  inflate: (bytes) => through(bytes, new DecompressionStream('gzip')),
};

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const output = new Response(stream.readable).arrayBuffer();
  const writer = stream.writable.getWriter();
  // Damaged input makes both sides fail: each has to be heard, and the reading side's error is the one told.
  const input = writer.write(unshared(bytes)).then(() => writer.close());
  const [result, written] = await Promise.allSettled([output, input]);
  if (result.status === 'rejected') throw asError(result.reason);
  if (written.status === 'rejected') throw asError(written.reason);
  return new Uint8Array(result.value);
}

/** Web APIs take no shared memory; only bytes in such memory are copied. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes.buffer instanceof ArrayBuffer
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
