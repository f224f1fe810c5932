import { expect, test } from 'vitest';

import { finishOf, releaseOf } from './step.ts';

const HELD = { standingsHeld: true };
const PODIUM = { kind: 'podium', at: 3 } as const;

test('the screen shows each picture, then the game ends', () => {
  const watched = { watched: true, slide: PODIUM };
  expect(finishOf(HELD, watched)).toEqual({ number: 0, step: 'show', slide: PODIUM });
  expect(finishOf(HELD, { ...watched, slide: undefined })?.step).toBe('end_game');
});

test('held standings come before the end where nothing shows them', () => {
  const alone = { watched: false, slide: PODIUM };
  expect(finishOf(HELD, alone)?.step).toBe('show_standings');
  expect(finishOf({ standingsHeld: false }, alone)?.step).toBe('end_game');
});

test('there is no step until it is known whether a screen watches', () => {
  expect(finishOf(HELD, { watched: null, slide: PODIUM })).toBeNull();
});

test('what phones get with the points depends on who watches', () => {
  const round = { phonesAfterScreen: false, isByQuestion: false, isLast: false, isFinishing: false, watched: true };
  const last = { ...round, isLast: true };
  expect(releaseOf(round)).toBe('all');
  expect(releaseOf(last), 'the screen shows the winner first').toBe('points_last');
  expect(releaseOf({ ...last, watched: null }), 'nothing is promised until that is known').toBe('points_last');
  expect(releaseOf({ ...last, watched: false }), 'there is no screen to wait for').toBe('all');
  expect(releaseOf({ ...last, watched: false, isFinishing: true })).toBe('points_alone');
  expect(releaseOf({ ...round, phonesAfterScreen: true })).toBe('nothing');
  expect(releaseOf({ ...round, phonesAfterScreen: true, watched: false })).toBe('nothing_alone');
  expect(releaseOf({ ...last, isByQuestion: true })).toBe('points');
});
