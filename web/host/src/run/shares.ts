// How a question of the closed round came out, in numbers that everybody may see: how many were right, of how many, and
// how the choices were taken. Pure. Holds no name and no text of an answer.

import type { Results, ReviewAnswer } from '$sdk';

import type { SheetLine } from './sheet.ts';

/** An answer, without its author's name. */
export type Given = Pick<ReviewAnswer, 'playerId' | 'questionId' | 'answer' | 'correct'>;

/** The numbers of a question. */
export interface Share {
  readonly right: number;
  /** Players who gave an answer to any question of the round: who was away, or came later, was not asked. */
  readonly players: number;
  /** How often each choice was taken; empty for questions without choices. */
  readonly taken: readonly number[];
}

/** The answers of a round (from 1) as the results have them. */
export function givenIn(results: Results, round: number): Given[] {
  const questions = results.rounds[round - 1]?.questions ?? [];
  return questions.flatMap(({ questionId, answers }) =>
    answers.map(({ playerId, answer, correct }) => ({ playerId, questionId, answer, correct })),
  );
}

/** The numbers of one question among all answers of its round. An override without an answer counts as right. */
export function shareOf(line: SheetLine, given: readonly Given[]): Share {
  const here = given.filter((answer) => answer.questionId === line.id);
  const asked = new Set(given.filter((answer) => answer.answer !== '' || answer.correct).map((answer) => answer.playerId));
  const taken = line.choices.map((choice) => here.filter((answer) => answer.answer.trim() === choice.trim()).length);
  return { right: here.filter((answer) => answer.correct).length, players: asked.size, taken };
}
