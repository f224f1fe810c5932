// Tests what this device remembers of the games that were started on it.
import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { RoundBody } from '$sdk';

import { FIRST, PLAIN, PRESETS } from './options.ts';
import { firstChoice, rememberChoice, rememberedChoice, rememberedOwn } from './remembered.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const own = { preset: 'own', options: { ...PLAIN, streaks: true, answerSeconds: 45 } } as const;
const speed = { preset: 'speed', options: PRESETS.speed } as const;

it('is a pub night at first', () => {
  expect(rememberedChoice('a')).toEqual(FIRST);
  expect(FIRST.options).toBe(PRESETS.pub);
  expect(rememberedOwn()).toBeNull();
});

it('is the last choice of the quiz, and of a new quiz the last choice at all', () => {
  rememberChoice('a', own);
  rememberChoice('b', speed);
  expect(rememberedChoice('a')).toEqual(own);
  expect(rememberedChoice('b')).toEqual(speed);
  expect(rememberedChoice('c')).toEqual(speed);
  rememberChoice('a', own);
  expect(rememberedChoice('c')).toEqual(own);
});

describe('of a quiz whose questions all have keys and times', () => {
  const choice = { text: '?', type: 'multiple_choice', choices: ['a', 'b'], correctAnswers: ['a'], timeLimit: 20 } as const;
  const quiz = (...questions: object[]) => [{ title: '', questions }] as unknown as RoundBody[];
  const lesson = quiz(choice, { ...choice, type: 'true_false' }, { ...choice, type: 'number' });

  it('is a classroom in place of a pub night, until the quiz was played', () => {
    expect(firstChoice('a', lesson)).toEqual({ preset: 'classroom', options: PRESETS.classroom });
    rememberChoice('a', FIRST);
    expect(firstChoice('a', lesson)).toEqual(FIRST);
    expect(firstChoice('b', lesson).preset).toBe('classroom');
    rememberChoice('a', speed);
    expect(firstChoice('b', lesson)).toEqual(speed);
  });

  it.each([
    ['is unknown', null],
    ['is empty', quiz()],
    ['has a written answer', quiz(choice, { ...choice, type: 'text' })],
    ['has a poll', quiz(choice, { ...choice, type: 'poll' })],
    ['has a question without a time', quiz(choice, { ...choice, timeLimit: undefined })],
  ])('is a pub night when the quiz %s', (_, rounds) => {
    expect(firstChoice('a', rounds)).toEqual(FIRST);
  });
});

it('keeps the own options while presets are chosen', () => {
  rememberChoice('a', own);
  rememberChoice('a', speed);
  expect(rememberedOwn()).toEqual(own.options);
});

it('keeps a preset by its name, so that the preset of this version counts', () => {
  rememberChoice('a', { preset: 'speed', options: { ...PRESETS.speed, answerSeconds: 99 } });
  expect(rememberedChoice('a')).toEqual(speed);
});

it('keeps a hundred quizzes', () => {
  rememberChoice('first', own);
  for (let number = 0; number < 100; number += 1) rememberChoice(String(number), speed);
  expect(rememberedChoice('first')).toEqual(speed);
  expect(rememberedChoice('0')).toEqual(speed);
  expect(JSON.parse(kept.get('quizhall.start') ?? '')).toMatchObject({ quizzes: { length: 100 } });
});

it.each(['', 'no json', '7', '{"quizzes":7}', '{"quizzes":[7]}', '{"quizzes":[["a","unknown"]],"last":null}'])('takes nothing from %j', (text) => {
  kept.set('quizhall.start', text);
  expect(rememberedChoice('a')).toEqual(FIRST);
});
