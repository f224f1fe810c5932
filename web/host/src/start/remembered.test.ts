// Tests what this device remembers of the games that were started on it.
import { beforeEach, expect, it, vi } from 'vitest';

import { FIRST, PLAIN, PRESETS } from './options.ts';
import { rememberChoice, rememberedChoice, rememberedOwn } from './remembered.ts';

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
