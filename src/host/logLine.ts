/** Returns what the log says of something, with what is known of the error behind it. */
export function logLine(message: string, error: unknown): string {
  if (error === undefined) return message;
  return `${message}: ${error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)}`;
}
