import type { BoardRow } from '$sdk';
import { expect, test } from 'vitest';

import { stepsOf } from './podium.ts';

const row = (name: string, rank: number): BoardRow => {
  return { playerId: name, displayName: name, score: 10 - rank, rank, previousRank: null };
};

test('players without points stand on no step', () => {
  const board = [row('a', 1), { ...row('b', 2), score: 0 }];
  expect(stepsOf(board).map(({ rank }) => rank)).toEqual([1]);
  expect(stepsOf([{ ...row('a', 1), score: 0 }])).toEqual([]);
});

test.each<[string, number[], [number, string][]]>([
  ['three', [1, 2, 3, 4], [[1, 'a'], [2, 'b'], [3, 'c']]],
  ['a tied third', [1, 2, 3, 3, 5], [[1, 'a'], [2, 'b'], [3, 'cd']]],
  ['a tied second', [1, 2, 2, 4], [[1, 'a'], [2, 'bc']]],
  ['a tied first', [1, 1, 3], [[1, 'ab'], [3, 'c']]],
  ['all alike', [1, 1, 1, 1], [[1, 'abcd']]],
  ['one', [1], [[1, 'a']]],
  ['no player', [], []],
])('%s', (_, ranks, steps) => {
  const board = ranks.map((rank, at) => row('abcde'.charAt(at), rank));
  expect(stepsOf(board).map(({ rank, rows }) => [rank, rows.map(({ playerId }) => playerId).join('')])).toEqual(steps);
});
