import { expect, test } from 'vitest';

import type { HostView } from '$sdk';

import { isOutdated, mayLack } from './reread.ts';

const AUTOPILOT = { answerFor: 20, revealFor: 10, breakFor: 15 };
const game = (options: object | undefined) => ({ options }) as Parameters<typeof isOutdated>[0];
const view = (options: object | null) => ({ options }) as Pick<HostView, 'options'>;

test('options that another window changed make the game outdated, those that were read do not', () => {
  expect(isOutdated(game({ pace: 'round' }), view({ pace: 'question' }))).toBe(true);
  expect(isOutdated(game({ pace: 'question' }), view({ pace: 'question' }))).toBe(false);
  expect(isOutdated(game(undefined), view({})), 'a game without options').toBe(false);
  expect(isOutdated(game({ streaks: true }), view({})), 'an option that was taken away').toBe(true);
});

test('before the server has stated options there is nothing to compare', () => {
  expect(isOutdated(game({ pace: 'round' }), view(null))).toBe(false);
});

test('the order of fields means nothing, also in the autopilot; a time does', () => {
  const turned = Object.fromEntries(Object.entries(AUTOPILOT).reverse());
  expect(isOutdated(game({ pace: 'question', autopilot: AUTOPILOT }), view({ autopilot: turned, pace: 'question' }))).toBe(false);
  expect(isOutdated(game({ autopilot: AUTOPILOT }), view({ autopilot: { ...turned, revealFor: 11 } }))).toBe(true);
});

test('questions are read once more where they are marked, with a connection', () => {
  const at = (phase: HostView['phase'], state: 'open' | 'waiting') => ({ phase, connection: { state } }) as Pick<HostView, 'phase' | 'connection'>;
  expect(mayLack(at('round_review', 'open'))).toBe(true);
  expect(mayLack(at('round_review', 'waiting'))).toBe(false);
  expect(mayLack(at('question', 'open'))).toBe(false);
});
