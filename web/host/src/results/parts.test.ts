import type { Results, RoundResults } from '$sdk';
import { expect, it } from 'vitest';

import { columnsOf, partName, partsOf, rightsOf, standingsRows } from './parts.ts';

const asked = (text: string, points: Record<string, number>): RoundResults['questions'][number] => ({
  ...{ questionId: text, text, type: 'text', correctAnswer: 'x', points: 1 },
  answers: Object.entries(points).map(([playerId, earned]) => {
    return { playerId, displayName: playerId, answer: 'x', correct: earned > 0, overridden: false, points: earned };
  }),
});
const results = (rounds: readonly RoundResults[]): Results => ({
  ...{ gameId: 'g', gameCode: 'ABC234', title: 'T', phase: 'ended', rounds: [...rounds] },
  leaderboard: [
    { playerId: 'ann', displayName: 'Ann', score: 3, rank: 1 },
    { playerId: 'ben', displayName: 'Ben', score: 1, rank: 2 },
  ],
});

it('each round is a part', () => {
  const played = results([
    { title: 'Cities', questions: [asked('a', { ann: 1 }), asked('b', { ann: 1, ben: 1 })] },
    { title: '', questions: [asked('c', { ann: 1 })] },
  ]);
  expect(partsOf(played).map(partName)).toEqual(['Round 1: Cities', 'Round 2']);
  expect(standingsRows(played).map(({ name, points }) => [name, points])).toEqual([['Ann', [2, 1]], ['Ben', [1, 0]]]);
});

it('question by question, each section is a part', () => {
  const from = (index: number, title: string, text: string, points: Record<string, number>) => {
    return { title: 'as a round', questions: [asked(text, points)], section: { index, title, questionIndex: 0, questionCount: 2 } };
  };
  const played = results([from(0, 'Cities', 'a', { ann: 1 }), from(0, 'Cities', 'b', { ann: 1, ben: 1 }), from(1, '', 'c', { ann: 1 })]);
  expect(partsOf(played).map(({ title, questions }) => [title, questions.map(({ text }) => text)])).toEqual([['Cities', ['a', 'b']], ['', ['c']]]);
  expect(standingsRows(played).map(({ points }) => points)).toEqual([[2, 1], [1, 0]]);
});

it('a round that has no question yet is no part, and one whose points are not out is no column', () => {
  const rounds = [
    { title: 'Cities', questions: [asked('a', { ann: 1 })] },
    { title: 'Rivers', questions: [asked('b', { ben: 1 })] },
    { title: 'Seas', questions: [asked('c', { ben: 1 })] },
  ];
  expect(columnsOf({ ...results(rounds), phase: 'round_review' }).map(({ title }) => title)).toEqual(['Cities', 'Rivers']);
  expect(columnsOf({ ...results(rounds), phase: 'leaderboard' })).toHaveLength(3);
  const begun = results([...rounds, { title: 'Peaks', questions: [] }]);
  expect(partsOf(begun).map(({ title }) => title)).toEqual(['Cities', 'Rivers', 'Seas']);
});

it('what each player got right leaves out withdrawn questions and polls', () => {
  const rights = rightsOf(
    results([
      { title: '', questions: [asked('a', { ann: 1, ben: 0 }), { ...asked('b', { ben: 1 }), withdrawn: true }] },
      { title: '', questions: [asked('c', { ann: 1 }), { ...asked('d', { ben: 0 }), type: 'poll' }] },
    ]),
  );
  expect([rights.of, rights.right('ann'), rights.right('ben'), rights.right('cleo')]).toEqual([2, 2, 0, 0]);
});
