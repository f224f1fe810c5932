// Tests what the screen decides itself: scenes, sounds, the podium, and where rows start to move.
import { expect, test } from 'vitest';

import { SAMPLES } from './samples.ts';
import { columnsOf, cueOf, numberIn, orderBefore, sceneOf, share } from './scene.ts';

test('every phase has its scene, and a round that has no question yet its own', () => {
  expect(sceneOf(null)).toBe('waiting');
  expect(sceneOf(SAMPLES.lobby)).toBe('lobby');
  expect(sceneOf(SAMPLES.round)).toBe('round');
  expect(sceneOf(SAMPLES.question)).toBe('questions');
  expect(sceneOf(SAMPLES.marking)).toBe('marking');
  expect(sceneOf(SAMPLES.revealed)).toBe('answer');
  expect(sceneOf(SAMPLES.breakTime)).toBe('break');
  expect(sceneOf(SAMPLES.tie)).toBe('tie');
  expect(sceneOf(SAMPLES.answer)).toBe('answer');
  expect(sceneOf(SAMPLES.board)).toBe('board');
  expect(sceneOf(SAMPLES.next)).toBe('next');
  expect(sceneOf(SAMPLES.winner)).toBe('winner');
  expect(sceneOf(SAMPLES.podium)).toBe('podium');
  expect(sceneOf({ ...SAMPLES.board, show: null })).toBe('marking');
});

test('a screen that the host has darkened shows nothing in any phase, and makes no sound', () => {
  for (const sample of [SAMPLES.lobby, SAMPLES.question, SAMPLES.breakTime, SAMPLES.winner]) expect(sceneOf({ ...sample, blank: true })).toBe('dark');
  const loud = { sound: true } as const;
  expect(cueOf({ ...SAMPLES.round, ...loud }, { ...SAMPLES.question, ...loud, blank: true })).toBeNull();
});

test('a new question, the end of a round and the end of the game have a sound', () => {
  const loud = { sound: true } as const;
  const question = { ...SAMPLES.question, ...loud };
  expect(cueOf({ ...SAMPLES.round, ...loud }, question)).toBe('question');
  expect(cueOf(question, { ...SAMPLES.questions, ...loud })).toBe('question');
  expect(cueOf(question, { ...SAMPLES.marking, ...loud })).toBe('end');
  expect(cueOf({ ...SAMPLES.podiumSecond, ...loud }, { ...SAMPLES.winner, ...loud })).toBe('podium');
  expect(cueOf({ ...SAMPLES.board, ...loud }, { ...SAMPLES.podium, ...loud })).toBe('podium');
  expect(cueOf({ ...SAMPLES.podiumThird, ...loud }, { ...SAMPLES.podiumSecond, ...loud })).toBeNull();
  expect(cueOf({ ...SAMPLES.winner, ...loud }, { ...SAMPLES.podium, ...loud })).toBeNull();
});

test('nothing sounds twice, on a first picture, or when the host has not asked for it', () => {
  const loud = { ...SAMPLES.question, sound: true };
  const answered = { ...loud, questions: loud.questions.map((question) => ({ ...question, answered: 17 })) };
  expect(cueOf(loud, answered)).toBeNull();
  expect(cueOf(null, loud)).toBeNull();
  expect(cueOf(SAMPLES.round, SAMPLES.question)).toBeNull();
  expect(cueOf({ ...SAMPLES.podium, sound: true }, { ...SAMPLES.podium, sound: true })).toBeNull();
});

test('a question is known by its place in the round of the quiz, from 1', () => {
  const round = { number: 3, of: 12, title: '', section: { index: 0, title: 'Science', questionIndex: 2, questionCount: 10 } };
  expect(numberIn(round, 1)).toBe(3);
  expect(numberIn({ number: 3, of: 12, title: '' }, 1)).toBe(1);
  expect(numberIn(null, 4)).toBe(4);
});

test('choices stand in as many columns as they have room for', () => {
  expect(columnsOf([], false)).toBe(2);
  expect(columnsOf(['Sydney', 'Canberra'], false)).toBe(2);
  expect(columnsOf(['Sydney', 'A choice of more than 28 letters'], false)).toBe(1);
  expect(columnsOf(['Sydney', 'A choice of 22 letters'], false)).toBe(2);
  expect(columnsOf(['Sydney', 'A choice of 22 letters'], true), 'beside a picture').toBe(1);
  expect(columnsOf(Array.from({ length: 8 }, () => 'A choice of more than 28 letters'), false)).toBe(2);
  expect(columnsOf(Array.from({ length: 20 }, () => 'Sydney'), false)).toBe(4);
});

test('rows start where they were; who was not there before starts last', () => {
  const before = orderBefore(SAMPLES.board.show.rows).map((row) => row.previousRank);
  expect(before).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, null]);
  expect(orderBefore(SAMPLES.boardFirst.show.rows)).toEqual(SAMPLES.boardFirst.show.rows);
});

test('the bar of an empty room is empty, and never more than full', () => {
  expect(share(0, 0)).toBe(0);
  expect(share(3, 12)).toBe(0.25);
  expect(share(5, 4)).toBe(1);
});
