import { t } from './strings';

/** Returns a token count as people read it: `4k`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 1_000_000) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** Returns how long something took. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return t('milliseconds', Math.round(milliseconds));
  const seconds = milliseconds / 1_000;
  if (seconds < 60) return t('seconds', seconds.toFixed(1));
  return t('minutes', Math.floor(seconds / 60), Math.round(seconds % 60));
}

/** Making one takes longer than drawing the row it is for. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns date and time in the editor's language. */
export function timeOf(at: number, language: string): string {
  let format = formats.get(language);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    formats.set(language, format);
  }
  return format.format(at);
}

/** Returns the beginning of a text on one line. */
export function excerpt(text: string, length = 80): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line;
}

export type Day = 'today' | 'yesterday' | 'thisWeek' | 'older';

/** Returns the group of a list by day that a time falls in. */
export function dayOf(at: number, now: number): Day {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight) return 'today';
  const days = Math.ceil((midnight - at) / 86_400_000);
  if (days <= 1) return 'yesterday';
  return days <= 7 ? 'thisWeek' : 'older';
}
