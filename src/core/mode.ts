/** How far the agent may go in a session, least first: only read; also change files; also run commands. */
export const modes = ['ask', 'edit', 'agent'] as const;

export type Mode = (typeof modes)[number];

/** Says whether a mode goes as far as something needs. */
export function reaches(mode: Mode, needed: Mode): boolean {
  return modes.indexOf(mode) >= modes.indexOf(needed);
}
