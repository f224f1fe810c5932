import { expect, it } from 'vitest';

import { examplesOf } from './examples.ts';

it('one point has no half, and no streak adds to it', () => {
  expect(examplesOf(1)).toEqual({ streak: null, speed: 2, joker: 2, half: 0 });
});

it('two points: the sixth right answer in a row is the first that earns more', () => {
  expect(examplesOf(2)).toEqual({ streak: { after: 5, points: 3 }, speed: 3, joker: 4, half: 1 });
});

it('a streak that adds at once', () => {
  expect(examplesOf(10)).toEqual({ streak: { after: 1, points: 11 }, speed: 15, joker: 20, half: 5 });
  expect(examplesOf(500).streak).toEqual({ after: 1, points: 550 });
});

it('odd points are rounded as the server rounds them', () => {
  expect(examplesOf(5)).toEqual({ streak: { after: 2, points: 6 }, speed: 8, joker: 10, half: 2 });
});

it('no points stay none', () => {
  expect(examplesOf(0)).toEqual({ streak: null, speed: 0, joker: 0, half: 0 });
});
