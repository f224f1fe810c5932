// One sentence about the whole game for the player, from the rounds that this device has seen. A round without points that the device
// missed could only make a number larger, so the sentence stays true. There is no sentence when the points of these rounds differ from the
// final score. Pure; used by Ended.

import type { QuestionResult, RoundOutcome } from '$sdk';

import { verdictOf } from './tally.ts';

/** The content of the sentence: the number of right answers in a row, of all right answers, or of all answers. */
export interface Keepsake {
  readonly kind: 'row' | 'right' | 'answered';
  readonly count: number;
}

/** The least number of right answers that count as a row. */
const ROW = 3;

/**
 * The keepsake of a game that ended with this score; null when the rounds here do not add up to it, and for a player who never answered.
 */
export function keepsakeOf(history: readonly RoundOutcome[], score: number): Keepsake | null {
  if (history.reduce((sum, { roundTotal }) => sum + roundTotal, 0) !== score) return null;
  const results = history.flatMap((round) => round.results).filter(counts);
  const row = longestRow(results);
  const right = results.filter(({ correct }) => correct).length;
  const answered = results.filter(({ yourAnswer }) => yourAnswer !== '').length;
  if (row >= ROW) return { kind: 'row', count: row };
  if (right > 0) return { kind: 'right', count: right };
  return answered > 0 ? { kind: 'answered', count: answered } : null;
}

/**
 * Whether a result continues or ends a row. A result without a mark does neither, and so does a right answer without points, because its
 * question may have been withdrawn.
 */
function counts(result: QuestionResult): boolean {
  return verdictOf(result) !== 'unmarked' && (!result.correct || result.points > 0);
}

function longestRow(results: readonly QuestionResult[]): number {
  let [longest, row] = [0, 0];
  for (const { correct } of results) {
    row = correct ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}
