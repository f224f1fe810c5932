import type { Results } from '$sdk';
import { expect, it } from 'vitest';

import { answers, questions, resultsWorkbook, standings } from './workbook.ts';

const answer = (playerId: string, text: string, points: number) => {
  return { playerId, displayName: playerId.toUpperCase(), answer: text, correct: points > 0, overridden: false, points };
};
const question = (text: string, given: ReturnType<typeof answer>[]) => {
  return { questionId: text, text, type: 'text', correctAnswer: 'right', points: 5, players: 3, answers: given };
};
const RESULTS: Results = {
  gameId: 'g',
  gameCode: 'ABC234',
  title: 'T',
  phase: 'ended',
  leaderboard: [
    { playerId: 'ann', displayName: 'ANN', score: 10, rank: 1 },
    { playerId: 'ben', displayName: 'BEN', score: 5, rank: 2 },
  ],
  rounds: [
    { title: 'One', questions: [question('a?', [answer('ann', 'right', 5), answer('ben', '=wrong', 0)])] },
    { title: '', questions: [question('b?', [answer('ben', 'right', 5), answer('ann', 'right', 5)]), question('c?', [])] },
  ],
};

it('the standings have the points of each round', () => {
  expect(standings(RESULTS).rows).toEqual([
    ['Place', 'Player', 'Total', 'Round 1', 'Round 2'],
    [1, 'ANN', 10, 5, 5],
    [2, 'BEN', 5, 0, 5],
  ]);
});

it('the questions have how many were right, answered and could', () => {
  expect(questions(RESULTS).rows.slice(1)).toEqual([
    [1, 'One', 1, 'a?', 'right', 5, 1, 2, 3],
    [2, '', 1, 'b?', 'right', 5, 2, 2, 3],
    [2, '', 2, 'c?', 'right', 5, 0, 0, 3],
  ]);
});

it('each answer is a row', () => {
  expect(answers(RESULTS).rows.slice(1)).toEqual([
    [1, 1, 'a?', 'ANN', 'right', 5],
    [1, 1, 'a?', 'BEN', '=wrong', 0],
    [2, 1, 'b?', 'BEN', 'right', 5],
    [2, 1, 'b?', 'ANN', 'right', 5],
  ]);
});

it('the file is a spreadsheet', () => {
  const file = resultsWorkbook(RESULTS);
  expect(file.type).toContain('spreadsheetml');
  expect(file.size).toBeGreaterThan(1_000);
});
