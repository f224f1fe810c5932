import { expect, test } from 'vitest';

import type { GameMoment } from '$sdk';

import { labelsOf, partsOf, shownMs, waitMs } from './course.ts';

const moment = (kind: GameMoment['kind'], round: number, rest: Partial<GameMoment> = {}): GameMoment => ({ index: 0, kind, round, ...rest });
const asked = (round: number, questionId: string, at?: string): GameMoment => moment('question', round, { questionId, ...(at && { at }) });

test('questions are counted in their round, and an answer has the number of its question', () => {
  const moments = [moment('lobby', 0), moment('round', 1), asked(1, 'a'), asked(1, 'a'), asked(1, 'b'), moment('answer', 1, { questionId: 'a' }), asked(2, 'c')];
  expect(labelsOf(moments).map(({ question }) => question)).toEqual([0, 0, 1, 1, 2, 1, 1]);
});

test('a part begins where the label changes', () => {
  const moments = [moment('lobby', 0), moment('lobby', 0), asked(1, 'a'), asked(1, 'a'), moment('answer', 1, { questionId: 'a' }), asked(1, 'b')];
  expect(partsOf(labelsOf(moments)).map(({ index }) => index)).toEqual([0, 2, 4, 5]);
  expect(partsOf([])).toEqual([]);
});

test('a real pause is kept up to some seconds, and shorter at a higher speed', () => {
  const at = (time: string): GameMoment => asked(1, 'a', `2026-11-29T20:${time}Z`);
  expect(shownMs(at('00:00'), at('00:02.5'))).toBe(2_500);
  expect(shownMs(at('00:00'), at('25:00'))).toBe(8_000);
  expect(shownMs(at('00:01'), at('00:00'))).toBe(0);
  expect(waitMs(at('00:00'), at('00:04'), 20)).toBe(200);
  expect(waitMs(at('00:00'), at('00:00.3'), 20)).toBe(80);
  expect(shownMs(asked(1, 'a'), at('00:00'))).toBe(3_000);
});
