import { expect, it } from 'vitest';

import { pointsOf } from './points.ts';

it.each([
  ['5', 5],
  [' 1 000 ', 1000],
  ['1.000.000', 1_000_000],
  ['+7', 7],
  ['-5', -5],
  ['−5', -5],
  ['0', null],
  ['1000001', null],
  ['five', null],
  ['1e3', null],
  ['', null],
])('%j gives %j', (typed, points) => {
  expect(pointsOf(typed, false)).toBe(points);
  expect(pointsOf(typed, true)).toBe(points === null ? null : -points);
});
