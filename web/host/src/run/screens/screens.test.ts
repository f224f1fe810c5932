import { expect, test } from 'vitest';

import { indexOf, sentSlide } from './screens.svelte.ts';
import type { Slide } from '../wall.ts';

const SLIDES: readonly Slide[] = [
  { kind: 'question', index: 0 },
  { kind: 'question', index: 1 },
  { kind: 'podium', seen: 0 },
  { kind: 'winner' },
  { kind: 'podium', seen: 2 },
  { kind: 'standings', page: 1 },
  { kind: 'next' },
];

test('every slide is found again by what the server has of it', () => {
  for (const [index, slide] of SLIDES.entries()) expect(indexOf(SLIDES, sentSlide(slide))).toBe(index);
  expect(indexOf(SLIDES, { kind: 'question' })).toBe(0);
  expect(indexOf(SLIDES, { kind: 'standings', at: 7 })).toBe(-1);
});
