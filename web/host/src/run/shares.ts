// How a question came out, in numbers that all may see: how many were right, of how many, and how the choices were
// taken. The one definition for the screen, the host's panel and the results. Pure. Holds no name and no text of an answer.

import type { AnswerResult, QuestionResults } from '$sdk';

/** How many were right, of how many. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

/**
 * The share of those who could answer: all who had joined before the round was closed or were credited later, also those who
 * gave no answer. A node of an earlier version does not say how many they were.
 */
export function shareOf({ players, answers }: Pick<QuestionResults, 'players' | 'answers'>): Share {
  return { right: answers.filter(({ correct }) => correct).length, of: players ?? answers.length };
}

/** How often each choice was taken. */
export function takenOf(choices: readonly string[], answers: readonly AnswerResult[]): number[] {
  return choices.map((choice) => answers.filter(({ answer }) => answer.trim() === choice.trim()).length);
}
