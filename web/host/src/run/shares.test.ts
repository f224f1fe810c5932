import { expect, test } from 'vitest';

import { answer, GAME, open, view } from './sample.ts';
import { givenIn, shareOf } from './shares.ts';
import { sheetOf } from './sheet.ts';

const LINES = sheetOf(GAME, view({ phase: 'question', questions: [open('q2', 1), open('q1', 2)] }));
const [text, choice] = LINES;

test('of how many: of everybody who gave an answer in the round', () => {
  const given = [
    answer('p1', 'q1', 'a', true),
    answer('p2', 'q1', 'b', false),
    answer('p3', 'q2', 'red', false),
    // Counted by an override without an answer, and one that was overruled to nothing.
    answer('p4', 'q1', '', true),
    answer('p5', 'q1', '', false),
  ];
  expect(text && shareOf(text, given)).toEqual({ right: 2, players: 4, taken: [] });
  expect(choice && shareOf(choice, given)).toEqual({ right: 0, players: 4, taken: [1, 0] });
});

test('nobody played', () => {
  expect(choice && shareOf(choice, [])).toEqual({ right: 0, players: 0, taken: [0, 0] });
});

test('from the results, without names', () => {
  const result = { playerId: 'p1', displayName: 'Ann', answer: 'a', correct: true, overridden: false, points: 10 };
  const question = { questionId: 'q1', text: 'First?', type: 'text', correctAnswer: 'a', points: 10, answers: [result] };
  const results = { gameId: 'g', gameCode: 'ABC234', title: '', phase: 'leaderboard', leaderboard: [], rounds: [{ title: '', questions: [question] }] };
  expect(givenIn(results, 1)).toEqual([{ playerId: 'p1', questionId: 'q1', answer: 'a', correct: true }]);
  expect(givenIn(results, 2)).toEqual([]);
});
