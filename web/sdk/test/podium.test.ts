import { expect, test } from 'vitest';

import { onPodium } from '../src/podium.ts';

test('the first three ranks with their equals are on the podium', () => {
  const board = [1, 2, 3, 3, 5].map((rank) => ({ rank, score: 10 - rank }));
  expect(onPodium(board).map(({ rank }) => rank)).toEqual([1, 2, 3, 3]);
});

test('players without points are not, whatever their rank', () => {
  expect(onPodium([{ rank: 1, score: 3 }, { rank: 2, score: 0 }, { rank: 2, score: 0 }])).toEqual([{ rank: 1, score: 3 }]);
  expect(onPodium([{ rank: 1, score: 0 }, { rank: 1, score: 0 }])).toEqual([]);
  expect(onPodium([{ rank: 1, score: -2 }])).toEqual([]);
});
