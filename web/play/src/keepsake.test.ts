// The sentence that a player takes home is true, or there is none.
import type { QuestionResult, RoundOutcome } from '$sdk';
import { expect, it } from 'vitest';

import { keepsakeOf } from './keepsake.ts';

/** A round by letters: right, wrong, none, part of the points, poll, withdrawn. */
function round(number: number, letters: string): RoundOutcome {
  const results = Array.from(letters, (letter, at): QuestionResult => ({
    questionId: `${String(number)}/${String(at)}`,
    question: '?',
    yourAnswer: letter === 'n' ? '' : 'x',
    correctAnswer: letter === 'p' ? '' : 'key',
    correct: letter === 'r' || letter === 'o',
    points: letter === 'r' ? 10 : letter === 'h' ? 5 : 0,
  }));
  return { round: number, title: '', results, roundTotal: results.reduce((sum, { points }) => sum + points, 0) };
}

it.each([
  ['rrrw', 'rwrr', 60, { kind: 'row', count: 3 }],
  ['wrr', 'rrw', 40, { kind: 'row', count: 4 }],
  ['rrp', 'ro', 30, { kind: 'row', count: 3 }],
  ['rwr', 'hr', 35, { kind: 'right', count: 3 }],
  ['rhr', 'nw', 25, { kind: 'right', count: 2 }],
  ['wwn', 'wh', 5, { kind: 'answered', count: 4 }],
  ['nnn', 'p', 0, null],
])('%s %s', (first, second, score, expected) => {
  expect(keepsakeOf([round(1, first), round(2, second)], score)).toEqual(expected);
});

it('says nothing when the points are others: a round was not seen here, or marks were corrected', () => {
  expect(keepsakeOf([round(1, 'rrr')], 40)).toBeNull();
  expect(keepsakeOf([round(1, 'rrr')], 20)).toBeNull();
  expect(keepsakeOf([], 0)).toBeNull();
});
