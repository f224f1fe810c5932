import type { AnswerResult } from '$sdk';
import { expect, test } from 'vitest';

import { shareOf, takenOf } from './shares.ts';

const given = (answer: string, correct: boolean): AnswerResult => {
  return { playerId: answer, displayName: 'Ann', answer, correct, overridden: false, points: 0 };
};
const answers = [given('red', true), given('blue', false), given(' red ', true), given('', true)];

test('of all who could answer, also of those who did not', () => {
  expect(shareOf({ players: 9, answers })).toEqual({ right: 3, of: 9, given: 4 });
  expect(shareOf({ players: 5, answers: [] })).toEqual({ right: 0, of: 5, given: 0 });
  expect(shareOf({ answers })).toEqual({ right: 3, of: 4, given: 4 });
});

test('how the choices were taken', () => {
  expect(takenOf(['red', 'blue', 'green'], answers)).toEqual([2, 1, 0]);
});
