import { expect, test } from 'vitest';

import type { GameTimer } from '$sdk';

import { open, seats, view } from '../sample.ts';
import { clockOf, longest, waitedFor } from './clock.ts';

const timer = (questionId: string | null, leftMs: number, extraMs?: number): GameTimer => ({
  questionId,
  running: true,
  leftMs,
  since: 1_000,
  ...(extraMs !== undefined && { extraMs }),
});

test('nothing runs, so there is no clock', () => {
  expect(clockOf(view({ phase: 'question' }))).toBeNull();
});

test('a break comes before all, and of two timers the one that ends first is shown', () => {
  const timers = [timer(null, 60_000), timer('q2', 20_000)];
  expect(clockOf(view({ phase: 'question', timers }))).toEqual({ kind: 'timer', time: timers[1] });
  const pause = { text: 'Drinks', running: true, leftMs: 5_000, since: 0 };
  expect(clockOf(view({ phase: 'lobby', timers, pause }))).toEqual({ kind: 'break', time: pause });
});

test('the autopilot is shown with its next step, and without one while a question is open', () => {
  const autopilot = { answerFor: 30, revealFor: 8, breakFor: 10, holdWithoutHost: true };
  const nextStep = { next: 'release', running: true, leftMs: 9_000, since: 0 } as const;
  expect(clockOf(view({ phase: 'question', autopilot, nextStep }))).toEqual({ kind: 'step', time: nextStep });
  expect(clockOf(view({ phase: 'question', autopilot }))).toEqual({ kind: 'autopilot' });
  expect(clockOf(view({ phase: 'ended', autopilot }))).toBeNull();
});

test('who is waited for: players with extra time who are here and have not answered', () => {
  const { room } = seats('Ann', 'Ben', '-Cleo', 'Dora');
  const slow = room.map((seat) => (seat.id === 'p1' ? seat : { ...seat, extraTime: 150 }));
  const shown = view({ phase: 'question', room: slow, questions: [open('q1', 1, 'p4')] });
  expect(waitedFor(shown, timer('q1', 0, 8_000))).toEqual(['Ben']);
  expect(waitedFor(shown, timer(null, 0, 8_000))).toEqual(['Ben']);
  expect(waitedFor(shown, timer('q1', 5_000)), 'no one has more time').toEqual([]);
  expect(longest(timer('q1', 2_000, 8_000)).leftMs).toBe(10_000);
});
