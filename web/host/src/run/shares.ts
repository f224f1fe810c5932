// The result of a question in numbers that everyone may see: how many answers were right, out of how many, and how often each choice was
// taken. The one definition for the screen, the host's panel and the results. Pure. Contains no name and no text of an answer.

import type { AnswerResult, QuestionResults } from '$sdk';
import { namedChoices } from '$sdk/choices.ts';

/** How many players were right, out of how many. */
export interface Share {
  readonly right: number;
  readonly of: number;
  /** How many have answered, or were credited. */
  readonly given: number;
}

/**
 * The share of the players who could answer: all who had joined before the round was closed or were credited later, including those without
 * an answer. A node of an earlier version does not send their number.
 */
export function shareOf({ players, answers }: Pick<QuestionResults, 'players'> & { answers: readonly Pick<AnswerResult, 'correct'>[] }): Share {
  return { right: answers.filter(({ correct }) => correct).length, of: players ?? answers.length, given: answers.length };
}

/** How often each choice was taken, alone or with others. */
export function takenOf(choices: readonly string[], answers: readonly Pick<AnswerResult, 'answer'>[]): number[] {
  const taken = answers.map(({ answer }) => new Set(namedChoices(answer, choices)));
  return choices.map((_, place) => taken.filter((places) => places.has(place)).length);
}
