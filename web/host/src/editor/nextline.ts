// Where Shift+Enter leads in a list of lines: to the next empty one, and only where there is none, to a new one. Pure.

/** The place of the next empty line; null when all lines after `at` are written. */
export function nextEmpty(lines: readonly string[], at: number): number | null {
  const empty = lines.findIndex((line, place) => place > at && line.trim() === '');
  return empty < 0 ? null : empty;
}
