// How a round went for one player, in a few words. Pure; used by Tally.svelte.

import type { QuestionResult } from '$sdk';

/** What became of an answer. */
export type Verdict = 'right' | 'part' | 'wrong' | 'none' | 'unmarked';

/** What is said of a round; null when it is better to say nothing. */
export type Cheer = 'all' | 'most' | 'some' | null;

/** Of one question. An answer that the host let count counts, also where none was given. */
export function verdictOf({ correct, correctAnswer, points, yourAnswer }: QuestionResult): Verdict {
  if (correct) return 'right';
  // Only answers that are not marked have no correct one.
  if (correctAnswer === '') return 'unmarked';
  if (points > 0) return 'part';
  return yourAnswer === '' ? 'none' : 'wrong';
}

/** Of `right` right answers to `count` questions. */
export function cheerOf(right: number, count: number): Cheer {
  if (right === 0) return null;
  if (right === count) return 'all';
  return right * 2 >= count ? 'most' : 'some';
}
