import { expect, test } from 'vitest';

import type { ScreenUpdate } from '$sdk';

import { pictureOf } from './picture.ts';

const HERE = { at: 1_000, origin: 'https://quiz.example.org', fileOf: () => null };

const LOBBY: ScreenUpdate = {
  ...{ gameCode: 'KTM472', title: 'Quiz', phase: 'lobby', locked: false, playerTotal: 0, sound: false },
};

test('what is absent is not shown', () => {
  expect(pictureOf(LOBBY, HERE)).toMatchObject({
    ...{ joinUrl: 'https://quiz.example.org/?code=KTM472', round: null, players: [], questions: [] },
    ...{ timer: null, tally: null, pause: null, step: null, jokers: null, show: null, language: null },
  });
});

test('time is counted by the clock of this device, from when the message came', () => {
  const timer = { remainingMs: 30_000, running: true };
  const question = { id: 'q', number: 1, text: '?', type: 'text', points: 1, answered: 0, of: 2, closed: false, timer };
  const view = pictureOf({ ...LOBBY, phase: 'question', questions: [question], timer: { ...timer, running: false } }, HERE);
  expect(view.questions[0]?.timer).toEqual({ leftMs: 30_000, endsAt: 31_000 });
  expect(view.timer).toEqual({ leftMs: 30_000, endsAt: null });
});

test('in a picture of the past running times fall with the replay, and stand still without it', () => {
  const past = { ...HERE, at: 0, passed: 4_000 };
  const timer = { remainingMs: 30_000, running: true };
  expect(pictureOf({ ...LOBBY, timer }, past).timer).toMatchObject({ leftMs: 26_000, past: true });
  expect(pictureOf({ ...LOBBY, timer: { ...timer, running: false } }, past).timer).toMatchObject({ leftMs: 30_000, endsAt: null });
  expect(pictureOf({ ...LOBBY, timer: { ...timer, remainingMs: 1_000 } }, past).timer).toMatchObject({ leftMs: 0 });
});

test('the autopilot’s next step comes with its clock, running or held', () => {
  const step = { next: 'release', remainingMs: 8_000, running: true } as const;
  expect(pictureOf({ ...LOBBY, step }, HERE).step).toEqual({ next: 'release', timer: { leftMs: 8_000, endsAt: 9_000 } });
  const held = { ...step, next: 'release_scores', running: false } as const;
  expect(pictureOf({ ...LOBBY, step: held }, HERE).step).toEqual({ next: 'release_scores', timer: { leftMs: 8_000, endsAt: null } });
});

test('a round comes with its section and what a wrong answer costs, also after a break and as the next one', () => {
  const round = { number: 3, of: 12, title: '', wrongPoints: -5, section: { index: 0, title: 'Science', questionIndex: 2, questionCount: 10 } };
  expect(pictureOf({ ...LOBBY, round }, HERE).round).toEqual(round);
  expect(pictureOf({ ...LOBBY, show: { kind: 'next', ...round } }, HERE).show).toEqual({ kind: 'next', ...round });
  const pause = { timer: { remainingMs: 60_000, running: true }, text: '', next: round };
  expect(pictureOf({ ...LOBBY, pause }, HERE).pause?.next).toEqual(round);
});

test('an answer that is revealed does not say how many were right', () => {
  const show = { kind: 'question', number: 1, of: 1, text: '?', answer: 'blue', explanation: '' } as const;
  expect(pictureOf({ ...LOBBY, phase: 'round_review', show }, HERE).show).toMatchObject({ right: null, choices: [], tally: null });
});

test('the picture of a question comes with its answer', () => {
  const media = { name: 'aa', key: 'k', kind: 'picture', type: 'image/png', bytes: 1, alt: 'A tube', width: 4, height: 3 } as const;
  const show = { kind: 'question', number: 1, of: 1, text: '?', answer: 'blue', explanation: '', media } as const;
  const file = new Blob();
  const view = pictureOf({ ...LOBBY, phase: 'round_review', show }, { ...HERE, fileOf: ({ name }) => (name === 'aa' ? file : null) });
  expect(view.show).toMatchObject({ media: { kind: 'picture', alt: 'A tube', width: 4, height: 3, file } });
});
