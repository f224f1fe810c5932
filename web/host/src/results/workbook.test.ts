import type { Results } from '$sdk';
import { expect, it } from 'vitest';

import { answers, byHand, csvOf, questions, resultsWorkbook, standings } from './workbook.ts';

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

it('the standings have the points of each round, and the share of right answers', () => {
  expect(standings(RESULTS).rows).toEqual([
    ['Place', 'Player', 'Total', 'One', 'Round 2', 'Right', 'Right in\u{a0}%'],
    [1, 'ANN', 10, 5, 5, 2, 67],
    [2, 'BEN', 5, 0, 5, 1, 33],
  ]);
});

it('the points of the only round are the total', () => {
  const [head, first] = standings({ ...RESULTS, rounds: RESULTS.rounds.slice(0, 1) }).rows;
  expect(head).toEqual(['Place', 'Player', 'Total', 'Right', 'Right in\u{a0}%']);
  expect(first).toEqual([1, 'ANN', 10, 1, 100]);
});

it('points by hand count in their round, and have a table where there are any', () => {
  const given = { adjustmentId: 'x', playerId: 'ben', displayName: 'BEN', points: -2, reason: 'Phone' };
  const [one, two] = RESULTS.rounds;
  if (one === undefined || two === undefined) throw new Error('two rounds');
  const results = { ...RESULTS, rounds: [one, { ...two, adjustments: [given] }] };
  expect(standings(results).rows[2]).toEqual([2, 'BEN', 5, 0, 3, 1, 33]);
  expect(byHand(results)[0]?.rows.slice(1)).toEqual([[2, '', 'BEN', -2, 'Phone', '']]);
  expect(byHand(RESULTS)).toEqual([]);
});

it('the questions have how many were right, answered and could', () => {
  expect(questions(RESULTS).rows.slice(1)).toEqual([
    [1, 'One', 1, 'a?', 'right', 5, 1, 2, 3],
    [2, '', 1, 'b?', 'right', 5, 2, 2, 3],
    [2, '', 2, 'c?', 'right', 5, 0, 0, 3],
  ]);
});

it('each answer is a row', () => {
  expect(answers(RESULTS).rows).toEqual([
    ['Round', 'Title', 'Number', 'Question', 'Player', 'Answer', 'Result', 'Points'],
    [1, 'One', 1, 'a?', 'ANN', 'right', 'right', 5],
    [1, 'One', 1, 'a?', 'BEN', '=wrong', 'wrong', 0],
    [2, '', 1, 'b?', 'BEN', 'right', 'right', 5],
    [2, '', 1, 'b?', 'ANN', 'right', 'right', 5],
  ]);
});

it('a CSV has names and no ids, and no text in it is run by a spreadsheet', async () => {
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\ttab', '\rreturn', 'Ann; =2', 'O\u2019Neil'];
  const leaderboard = names.map((displayName, at) => ({ playerId: `id-${String(at)}`, displayName, score: 0 - at, rank: at + 1 }));
  const text = await csvOf(standings({ ...RESULTS, leaderboard })).text();
  expect(text.split('\r\n').slice(1, 5)).toEqual(["1,'=1+1,0,0,0,0,0", "2,'+1,-1,0,0,0,0", "3,'-1,-2,0,0,0,0", "4,'@SUM(A1),-3,0,0,0,0"]);
  expect(text).toContain("'\ttab");
  expect(text).toContain("'\rreturn");
  expect(text).toContain("Ann;' =2");
  expect(text).not.toContain('id-');
  const answered = await csvOf(answers(RESULTS)).text();
  expect(answered).toContain("1,One,1,a?,BEN,'=wrong,wrong,0");
});

it('several choices are one line, and a poll has no result', () => {
  const poll = { ...question('c?', [answer('ann', 'A\nB', 0)]), type: 'poll' };
  expect(answers({ ...RESULTS, rounds: [{ title: '', questions: [poll] }] }).rows[1]).toEqual([1, '', 1, 'c?', 'ANN', 'A, B', '', 0]);
});

it('the file is a spreadsheet', () => {
  const file = resultsWorkbook(RESULTS);
  expect(file.type).toContain('spreadsheetml');
  expect(file.size).toBeGreaterThan(1_000);
});
