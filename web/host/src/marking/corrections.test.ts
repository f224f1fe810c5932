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
      { title: '', questions: [question('b', 'poll', ['x', false]), question('c', 'text', ['x', true]), question('d', 'text')] },
      { title: '', questions: [question('e', 'text', ['x', false])] },
    ],
  };
  const shown = correctable(results, 2).map(({ id, round, number, groups }) => [
    id,
    round,
    number,
    groups.map(({ text, count, correct }) => [text, count, correct]),
  ]);
  expect(shown).toEqual([
    ['c', 2, 2, [['x', 1, true]]],
    ['a', 1, 1, [['y', 2, 'mixed'], ['x', 1, false], ['z', 1, 'mixed']]],
  ]);
});
