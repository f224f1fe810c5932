// The letters and shapes by which people name a choice across the room.
import { expect, test } from 'vitest';

import { choiceLetter, choiceShape } from './choices.ts';

test('choices are lettered like columns of a sheet', () => {
  expect([0, 1, 25, 26, 27, 51, 52, 701, 702].map(choiceLetter)).toEqual([
    ...['A', 'B', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA'],
  ]);
});

test('the first six choices have a shape of their own, the rest share one', () => {
  const shapes = Array.from({ length: 8 }, (_, index) => choiceShape(index));
  expect(new Set(shapes.slice(0, 7)).size).toBe(7);
  expect(shapes[7]).toBe(shapes[6]);
});
