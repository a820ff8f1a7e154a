/**
 * Waits for work, whatever becomes of it, but at most so many milliseconds; with a signal they begin to count when it
 * fires.
 */
export async function waitAtMost(
  work: Promise<unknown>,
  milliseconds: number,
  from?: AbortSignal,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let begin: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    begin = () => {
      timer = setTimeout(resolve, milliseconds);
    };
  });
  if (from === undefined || from.aborted) begin();
  else from.addEventListener('abort', begin, { once: true });
  try {
    await Promise.race([work.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
    from?.removeEventListener('abort', begin);
  }
}
