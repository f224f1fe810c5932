// Tests which options have no effect in a quiz, by the rules of marking.
import { describe, expect, it } from 'vitest';

import type { QuestionBody, RoundBody } from '$sdk';

import { idleIn, timesPoints } from './idle.ts';
import { PLAIN, PRESETS } from './options.ts';

const question = (points?: number, more: Partial<QuestionBody> = {}): QuestionBody => {
  return { text: 'Which?', type: 'text', correctAnswers: ['this'], ...(points !== undefined && { points }), ...more };
};
const round = (points: readonly number[], more: Partial<RoundBody> = {}): RoundBody => {
  return { title: '', questions: points.map((each) => question(each)), ...more };
};
const poll = question(0, { type: 'poll' });

describe('half points', () => {
  it('have no effect where questions are worth 1 point', () => {
    const rounds = [round([1, 1], { halfPoints: true }), round([1]), round([1, 0], { halfPoints: true })];
    expect(idleIn(rounds, PLAIN)).toEqual([{ option: 'half', rounds: [1, 3], points: 1, factor: 2 }]);
  });

  it('have one where any question is worth 2, or names no points', () => {
    expect(idleIn([round([1, 2], { halfPoints: true })], PLAIN)).toEqual([]);
    expect(idleIn([{ title: '', questions: [question()], halfPoints: true }], PLAIN)).toEqual([]);
  });
});

describe('streaks', () => {
  const streaks = { ...PLAIN, streaks: true };

  it('have no effect where 10 % for each further answer, at most half, is less than a point', () => {
    expect(idleIn([round([1, 1, 1, 1, 1, 1, 1])], streaks)).toEqual([{ option: 'streaks', rounds: [1], points: 1, factor: 10 }]);
    expect(idleIn([round([2, 2, 2, 2, 2])], streaks)).toEqual([{ option: 'streaks', rounds: [1], points: 2, factor: 5 }]);
    expect(idleIn([round([2, 2, 2, 2, 2, 2])], streaks)).toEqual([]);
    expect(idleIn([round([9, 9])], streaks)).toEqual([{ option: 'streaks', rounds: [1], points: 9, factor: 2 }]);
    expect(idleIn([round([10, 10])], streaks)).toEqual([]);
  });

  it('need two questions that are marked', () => {
    expect(idleIn([round([10]), { title: '', questions: [question(10), poll] }, round([10, 10])], streaks)).toEqual([{ option: 'row', rounds: [1, 2] }]);
  });

  it('count where the quiz has them, too, and not in a round of polls', () => {
    expect(idleIn([round([1, 1], { streaks: true }), round([1, 1])], PLAIN)).toMatchObject([{ option: 'streaks', rounds: [1] }]);
    expect(idleIn([{ title: '', questions: [poll, poll] }], streaks)).toEqual([]);
  });
});

describe('speed', () => {
  const speed = { ...PLAIN, speedPoints: true };

  it('has no effect without a time of a question', () => {
    expect(idleIn([round([5, 5])], speed)).toEqual([{ option: 'speed', rounds: [1], mends: true }]);
    expect(idleIn([round([5, 5], { timeLimit: 60 })], speed)).toEqual([{ option: 'speed', rounds: [1], mends: false }]);
  });

  it('has one with a time in the quiz or in the game', () => {
    expect(idleIn([{ title: '', questions: [question(5, { timeLimit: 10 }), question(5)] }], speed)).toEqual([]);
    expect(idleIn([round([5, 5])], { ...speed, answerSeconds: 20 })).toEqual([]);
  });

  it('is coarse where no question is worth 5 points', () => {
    const timed = { ...speed, answerSeconds: 20 };
    expect(idleIn([round([1, 1]), round([4, 2]), round([5, 1])], timed)).toEqual([{ option: 'coarse', rounds: [1, 2], points: 4, factor: 10 }]);
    expect(idleIn([round([0, 0]), { title: '', questions: [poll] }], timed)).toEqual([]);
  });
});

it('a joker is not offered question by question', () => {
  const rounds = [round([10, 10]), round([10, 10], { joker: true })];
  expect(idleIn(rounds, PLAIN)).toEqual([]);
  expect(idleIn(rounds, PRESETS.classroom)).toEqual([{ option: 'joker', rounds: [2] }]);
});

it('a preset says nothing of a quiz that it suits', () => {
  for (const preset of [PRESETS.pub, PRESETS.classroom, PRESETS.speed]) expect(idleIn([round([10, 20])], preset)).toEqual([]);
});

describe('more points', () => {
  it('multiply those of every round, and of wrong answers, so that all keep their scale', () => {
    const rounds = [{ ...round([]), questions: [question(1), question(5), question(0), question(), poll] }, round([1], { wrongPoints: -1 })];
    const mended = timesPoints(rounds, 10);
    expect(mended?.map(({ questions }) => questions.map(({ points }) => points))).toEqual([[10, 50, 0, 10_000, 0], [10]]);
    expect(mended?.map(({ wrongPoints }) => wrongPoints)).toEqual([undefined, -10]);
  });

  it('are enough for what lacked them', () => {
    const options = { ...PRESETS.speed, boardAfter: 'section' } as const;
    const rounds = [round([1]), round([1, 1], { halfPoints: true })];
    expect(idleIn(rounds, options).map(({ option }) => option)).toEqual(['half', 'streaks', 'row', 'coarse']);
    expect(idleIn(timesPoints(rounds, 10) ?? [], options)).toEqual([{ option: 'row', rounds: [1] }]);
  });

  it('are not offered where a question would be worth more than it can', () => {
    expect(timesPoints([round([1, 500_000])], 2)).not.toBeNull();
    expect(timesPoints([round([1, 500_001])], 2)).toBeNull();
  });
});
