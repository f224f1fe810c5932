// The summary of a round for one player. Pure; used by Tally.svelte.

import type { QuestionResult } from '$sdk';

/** The result of an answer. */
export type Verdict = 'right' | 'part' | 'wrong' | 'none' | 'unmarked';

/** The sentence about a round; null when no sentence is better. */
export type Cheer = 'all' | 'most' | 'some' | null;

/** The result of one question. An answer that the host marked as right counts, even an empty one. */
export function verdictOf({ correct, correctAnswer, points, yourAnswer }: QuestionResult): Verdict {
  if (correct) return 'right';
  // Only unmarked answers have no correct one.
  if (correctAnswer === '') return 'unmarked';
  if (points > 0) return 'part';
  return yourAnswer === '' ? 'none' : 'wrong';
}

/** The sentence for `right` right answers to `count` questions. */
export function cheerOf(right: number, count: number): Cheer {
  if (right === 0) return null;
  if (right === count) return 'all';
  return right * 2 >= count ? 'most' : 'some';
}
