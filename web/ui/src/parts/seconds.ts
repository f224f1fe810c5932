// When the digits of a countdown change.

/** How long the seconds that are shown stay the same, in whole milliseconds: what is left need not be a whole number. */
export function msToNextSecond(left: number): number {
  return Math.ceil(left % 1_000) || 1_000;
}
