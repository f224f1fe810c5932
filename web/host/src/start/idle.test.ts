// Tests which options have no effect in a quiz, by the rules of marking.
import { describe, expect, it } from 'vitest';

import type { QuestionBody, RoundBody } from '$sdk';

import { idleIn, withPoints } from './idle.ts';
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
    expect(idleIn(rounds, PLAIN)).toEqual([{ option: 'half', rounds: [1, 3], points: 1, needs: 2 }]);
  });

  it('have one where any question is worth 2, or names no points', () => {
    expect(idleIn([round([1, 2], { halfPoints: true })], PLAIN)).toEqual([]);
    expect(idleIn([{ title: '', questions: [question()], halfPoints: true }], PLAIN)).toEqual([]);
  });
});

describe('streaks', () => {
  const streaks = { ...PLAIN, streaks: true };

  it('have no effect where 10 % for each further answer, at most half, is less than a point', () => {
    expect(idleIn([round([1, 1, 1, 1, 1, 1, 1])], streaks)).toEqual([{ option: 'streaks', rounds: [1], points: 1, needs: 10 }]);
    expect(idleIn([round([2, 2, 2, 2, 2])], streaks)).toEqual([{ option: 'streaks', rounds: [1], points: 2, needs: 10 }]);
    expect(idleIn([round([2, 2, 2, 2, 2, 2])], streaks)).toEqual([]);
    expect(idleIn([round([9, 9])], streaks)).toEqual([{ option: 'streaks', rounds: [1], points: 9, needs: 10 }]);
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
});

it('a joker is not offered question by question', () => {
  const rounds = [round([10, 10]), round([10, 10], { joker: true })];
  expect(idleIn(rounds, PLAIN)).toEqual([]);
  expect(idleIn(rounds, PRESETS.classroom)).toEqual([{ option: 'joker', rounds: [2] }]);
});

it('a preset says nothing of a quiz that it suits', () => {
  for (const preset of [PRESETS.pub, PRESETS.classroom, PRESETS.speed]) expect(idleIn([round([10, 20])], preset)).toEqual([]);
});

it('more points reach the questions that lack them, in these rounds only', () => {
  const rounds = [{ ...round([1, 5, 0]), questions: [question(1), question(5), question(0), poll] }, round([1])];
  const mended = withPoints(rounds, { rounds: [1], needs: 2 });
  expect(mended.map(({ questions }) => questions.map(({ points }) => points))).toEqual([[2, 5, 0, 0], [1]]);
  expect(idleIn(withPoints([round([1, 1], { halfPoints: true })], { rounds: [1], needs: 2 }), PLAIN)).toEqual([]);
});
