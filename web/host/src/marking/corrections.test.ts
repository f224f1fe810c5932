import { expect, test } from 'vitest';

import type { Results } from '$sdk';

import { correctable } from './corrections.ts';

function question(questionId: string, type: string, ...answers: readonly (readonly [string, boolean, number?])[]) {
  const given = answers.map(([answer, correct, points = 0], at) => {
    return { playerId: `p${String(at)}`, displayName: '', answer, correct, overridden: false, points };
  });
  return { questionId, text: '', type, correctAnswer: '', points: 1, answers: given };
}

test('answers with marks of rounds that are out are grouped by their texts, the latest round first', () => {
  const results: Results = {
    gameId: '',
    gameCode: '',
    title: '',
    phase: 'question',
    leaderboard: [],
    rounds: [
      { title: '', questions: [question('a', 'text', ['x', false], ['y', true], ['y', false], ['', true], ['z', false, 5])] },
      {
        title: '',
        questions: [
          { ...question('h', 'text', ['x', false, 5], ['y', false, 4], ['z', false, 5], ['z', false]), points: 11 },
          { ...question('i', 'multiple_choice', ['x', false, 5]), points: 11 },
        ],
      },
      { title: '', questions: [question('b', 'poll', ['x', false]), question('c', 'text', ['x', true]), question('d', 'text')] },
      { title: '', questions: [question('e', 'text', ['x', false])] },
    ],
  };
  const shown = correctable(results, 3).map(({ id, place, half, groups }) => [
    id,
    place,
    half,
    groups.map(({ text, count, correct }) => [text, count, correct]),
  ]);
  expect(shown).toEqual([
    ['c', '3.2', 0, [['x', 1, true]]],
    ['h', '2.1', 5, [['z', 2, 'mixed'], ['x', 1, 'partial'], ['y', 1, 'mixed']]],
    ['i', '2.2', 0, [['x', 1, 'mixed']]],
    ['a', '1.1', 0, [['y', 2, 'mixed'], ['x', 1, false], ['z', 1, 'mixed']]],
  ]);
});

test('question by question, a question has its number in the round of the quiz', () => {
  const placesOf = (questionCounts: readonly number[]) => {
    const rounds = questionCounts.flatMap((questionCount, index) =>
      Array.from({ length: questionCount }, (_, questionIndex) => {
        const questions = [question(`${String(index)} ${String(questionIndex)}`, 'text', ['x', true])];
        return { title: '', questions, section: { index, title: '', questionIndex, questionCount } };
      }),
    );
    const results: Results = { gameId: '', gameCode: '', title: '', phase: 'question', leaderboard: [], rounds };
    return correctable(results, 3).map(({ place }) => place);
  };
  expect(placesOf([4])).toEqual(['3', '2', '1']);
  expect(placesOf([2, 2])).toEqual(['2.1', '1.2', '1.1']);
});
