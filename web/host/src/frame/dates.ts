// Days and times in everyday words: "yesterday", "3 days ago", "12 March". Pure: the moment and the language are passed in.

const DAY = 86_400_000;

/** A day relative to now: in words within a week, otherwise as a date. */
export function dayWords(when: Date, now: Date, language: string): string {
  const days = Math.round((startOfDay(when) - startOfDay(now)) / DAY);
  if (days > -7 && days <= 0) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day');
  const year = when.getFullYear() === now.getFullYear() ? undefined : ('numeric' as const);
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year }).format(when);
}

/** The time of day. */
export function timeWords(when: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' }).format(when);
}

function startOfDay(moment: Date): number {
  // In UTC all days have the same length, even when local clocks are changed.
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
}
