// Tests the summary of a round.
import { expect, it } from 'vitest';

import { cheerOf, verdictOf } from './tally.ts';

const result = { questionId: 'q', question: '?', yourAnswer: '', correctAnswer: 'Rome', correct: false, points: 0 };

it('distinguishes right, wrong and unanswered, and believes the host', () => {
  expect(verdictOf({ ...result, yourAnswer: 'Rome', correct: true })).toBe('right');
  expect(verdictOf({ ...result, yourAnswer: 'Roma' })).toBe('wrong');
  expect(verdictOf(result)).toBe('none');
  expect(verdictOf({ ...result, correct: true })).toBe('right');
});

it.each([
  [10, 10, 'all'],
  [1, 1, 'all'],
  [7, 10, 'most'],
  [5, 10, 'most'],
  [4, 10, 'some'],
  [0, 10, null],
] as const)('%i of %i: %s', (right, count, cheer) => {
  expect(cheerOf(right, count)).toBe(cheer);
});

it('distinguishes a part of the points from none, and an answer that is not marked from a wrong one', () => {
  expect(verdictOf({ ...result, yourAnswer: 'Rome\nBern', points: 333 })).toBe('part');
  expect(verdictOf({ ...result, yourAnswer: 'the sea', correctAnswer: '' })).toBe('unmarked');
});
