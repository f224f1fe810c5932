// What the screen decides by itself: scenes, sounds, the podium, and where rows come from.
import { expect, test } from 'vitest';

import { SAMPLES } from './samples.ts';
import { cueOf, nameSize, orderBefore, podiumOf, sceneOf, share } from './scene.ts';

test('every phase has its scene, and a round that has no question yet its own', () => {
  expect(sceneOf(null)).toBe('waiting');
  expect(sceneOf(SAMPLES.lobby)).toBe('lobby');
  expect(sceneOf(SAMPLES.round)).toBe('round');
  expect(sceneOf(SAMPLES.question)).toBe('questions');
  expect(sceneOf(SAMPLES.marking)).toBe('marking');
  expect(sceneOf(SAMPLES.board)).toBe('board');
  expect(sceneOf(SAMPLES.podium)).toBe('podium');
});

test('a new question, the end of a round and the end of the game have a sound', () => {
  const loud = { sound: true } as const;
  const question = { ...SAMPLES.question, ...loud };
  expect(cueOf({ ...SAMPLES.round, ...loud }, question)).toBe('question');
  expect(cueOf(question, { ...SAMPLES.questions, ...loud })).toBe('question');
  expect(cueOf(question, { ...SAMPLES.marking, ...loud })).toBe('end');
  expect(cueOf({ ...SAMPLES.board, ...loud }, { ...SAMPLES.podium, ...loud })).toBe('podium');
});

test('nothing sounds twice, on a first picture, or when the host has not asked for it', () => {
  const loud = { ...SAMPLES.question, sound: true };
  const answered = { ...loud, questions: loud.questions.map((question) => ({ ...question, answered: 17 })) };
  expect(cueOf(loud, answered)).toBeNull();
  expect(cueOf(null, loud)).toBeNull();
  expect(cueOf(SAMPLES.round, SAMPLES.question)).toBeNull();
  expect(cueOf({ ...SAMPLES.podium, sound: true }, { ...SAMPLES.podium, sound: true })).toBeNull();
});

test('a shared rank stands on one step, and the next step is left out', () => {
  expect(podiumOf(SAMPLES.podium.board).map((step) => step.rows.length)).toEqual([1, 1, 1]);
  expect(podiumOf(SAMPLES.podiumShared.board).map((step) => [step.rank, step.rows.length])).toEqual([
    [1, 2],
    [3, 3],
  ]);
  expect(podiumOf([])).toEqual([]);
  expect(podiumOf(SAMPLES.podium.board.map((row) => ({ ...row, score: 0 })))).toEqual([]);
});

test('names get smaller the longer and the more they are, down to what can still be read', () => {
  expect(nameSize(['Ann'], 31, 20)).toBe(5.6);
  const long = nameSize(['A name of 24 letters, ha'], 31, 20);
  expect(long).toBeLessThanOrEqual(5.6);
  const three = nameSize(Array.from({ length: 3 }, () => 'A name of 24 letters, ha'), 31, 20);
  expect(three).toBeLessThan(long);
  expect(three).toBeGreaterThanOrEqual(2.2);
  expect(nameSize(['x'.repeat(999)], 31, 20)).toBe(2.2);
});

test('rows start where they were; who was not there before starts last', () => {
  const before = orderBefore(SAMPLES.board.board.slice(0, 10)).map((row) => row.previousRank);
  expect(before).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, null]);
  expect(orderBefore(SAMPLES.boardFirst.board)).toEqual(SAMPLES.boardFirst.board);
});

test('the bar of an empty room is empty, and never more than full', () => {
  expect(share(0, 0)).toBe(0);
  expect(share(3, 12)).toBe(0.25);
  expect(share(5, 4)).toBe(1);
});
