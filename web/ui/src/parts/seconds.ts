// The moments at which the digits of a countdown change.

/** How long the displayed seconds stay the same, in whole milliseconds. The time left need not be a whole number. */
export function msToNextSecond(left: number): number {
  return Math.ceil(left % 1_000) || 1_000;
}
