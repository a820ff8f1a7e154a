import { z } from 'zod';

const withMessage = z.object({ message: z.string().min(1) });

/** Returns what an error says; errors inside a stream come as whatever the server wrote there. */
export function serverText(error: unknown): string | undefined {
  if (typeof error === 'string' && error.trim() !== '') return error;
  if (error instanceof Error && error.message !== '') return error.message;
  const parsed = withMessage.safeParse(error);
  return parsed.success ? parsed.data.message : undefined;
}
