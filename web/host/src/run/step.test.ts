import { expect, test } from 'vitest';

import { open, view } from './sample.ts';
import { stepOf } from './step.ts';

const ROUND = { coming: 'q2', isLast: false, watched: false, slide: undefined, endShown: false } as const;

test.each([
  ['lobby', {}, 'start_game'],
  ['question', {}, 'release_question'],
  ['question', { coming: null }, 'end_round'],
  ['round_review', {}, 'release_scores'],
  ['leaderboard', {}, 'start_next_round'],
  ['leaderboard', { isLast: true }, 'end_game'],
  ['leaderboard', { watched: true, slide: { kind: 'next' } }, 'show'],
  ['leaderboard', { watched: true }, 'start_next_round'],
  ['leaderboard', { watched: true, isLast: true, slide: { kind: 'podium', at: 3 }, endShown: true }, 'end_game'],
  ['leaderboard', { watched: null }, undefined],
  ['ended', {}, 'none'],
  [null, {}, undefined],
] as const)('%s with %o', (phase, progress, step) => {
  expect(stepOf(view({ phase, questions: [open('q1', 1)] }), { ...ROUND, ...progress })?.step).toBe(step);
});

test('held standings come before the next round where nothing shows them', () => {
  const held = view({ phase: 'leaderboard', standingsHeld: true });
  expect(stepOf(held, ROUND)?.step).toBe('show_standings');
  expect(stepOf(held, { ...ROUND, watched: true })?.step, 'a picture has shown them').toBe('start_next_round');
});

test('a step names its question, or its picture', () => {
  expect(stepOf(view({ phase: 'question' }), ROUND)).toEqual({ number: 0, step: 'release_question', questionId: 'q2' });
  const slide = { kind: 'standings', at: 1 } as const;
  expect(stepOf(view({ phase: 'leaderboard' }), { ...ROUND, watched: true, slide })).toEqual({ number: 0, step: 'show', slide });
});
