import { describe, expect, test } from 'vitest';

import { IRREVERSIBLE, nextStep, offers } from './nextstep.ts';
import { GAME, open, view } from './sample.ts';
import { selectedLine, sheetOf } from './sheet.ts';

const PHASES = ['lobby', 'question', 'round_review', 'leaderboard', 'ended', null] as const;

function stepAt(changes: Parameters<typeof view>[0], roundsLeft = 1, endShown = false) {
  const now = view(changes);
  return nextStep(now, selectedLine(sheetOf(GAME, now), null), { roundsLeft, endShown });
}

test.each([
  ['lobby', [], 1, 'start', null],
  ['question', [], 1, 'release', null],
  ['question', [open('q1', 1)], 1, 'release', 'end_round'],
  ['question', [open('q1', 1), open('q2', 2), open('q3', 3)], 1, 'end_round', null],
  ['round_review', [], 1, 'release_scores', null],
  ['leaderboard', [], 1, 'next_round', 'end_game'],
  ['leaderboard', [], 0, 'show_next', 'end_game'],
  ['ended', [], 0, null, null],
  [null, [], 1, null, null],
] as const)('%s with %o and %i rounds left', (phase, questions, left, main, other) => {
  expect(stepAt({ phase, questions }, left)).toEqual({ main, other });
});

test('the game ends once the screen has shown the winner', () => {
  expect(stepAt({ phase: 'leaderboard' }, 0, true)).toEqual({ main: 'end_game', other: null });
});

describe('never two equal ways', () => {
  test.each(PHASES)('%s', (phase) => {
    const step = stepAt({ phase, questions: [open('q1', 1)] });
    if (step.other !== null) {
      expect(step.other).not.toBe(step.main);
      expect(IRREVERSIBLE.has(step.other), 'the second way is one that is held').toBe(true);
    }
  });
});

test('a key can do only what is on offer', () => {
  const step = stepAt({ phase: 'leaderboard' });
  expect(offers(step, 'next_round')).toBe(true);
  expect(offers(step, 'end_game')).toBe(true);
  expect(offers(step, 'end_round')).toBe(false);
  expect(offers(stepAt({ phase: 'ended' }), 'end_game')).toBe(false);
});
