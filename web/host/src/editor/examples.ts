// What the ways of scoring of a round earn, in numbers for a question with the usual points of the round: the examples beside the switches.
// Pure. Counts as the server does (docs/reference): half points and streaks are rounded down, speed to the nearest point.

/** The bonus of each further right answer of a streak, and the largest one, in percent. */
const STREAK = { step: 10, most: 50 } as const;

/** An example for each way of scoring. */
export interface Examples {
  /** After so many right answers in a row, the next one earns more for the first time; null when no streak is long enough. */
  readonly streak: { readonly after: number; readonly points: number } | null;
  /** What a right answer earns with half of the time left. */
  readonly speed: number;
  /** What a right answer earns in a round that a joker doubles. */
  readonly joker: number;
  /** What a near miss earns. */
  readonly half: number;
}

/** The examples for a question that is worth `points`. */
export function examplesOf(points: number): Examples {
  const bonus = (after: number): number => Math.floor((points * Math.min(after * STREAK.step, STREAK.most)) / 100);
  const after = Array.from({ length: STREAK.most / STREAK.step }, (_, at) => at + 1).find((each) => bonus(each) > 0);
  return {
    streak: after === undefined ? null : { after, points: points + bonus(after) },
    speed: points + Math.floor((points + 1) / 2),
    joker: points * 2,
    half: Math.floor(points / 2),
  };
}
