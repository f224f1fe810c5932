// Places, best rounds, podiums.
import { describe, expect, it } from 'vitest';

import type { BoardRow, RoundOutcome } from '$sdk';

import { bestRound, placeOf, podium } from './place.ts';

const row = (playerId: string, rank: number, previousRank: number | null = null): BoardRow => ({
  playerId,
  displayName: playerId,
  score: 100 - rank,
  rank,
  previousRank,
});

const rows = (count: number): BoardRow[] => Array.from({ length: count }, (_, index) => row(`p${index}`, index + 1));

const RESULT = { questionId: 'q', question: '', yourAnswer: '', correctAnswer: '', correct: true, points: 1 };
const round = (number: number, roundTotal: number, questions = 2): RoundOutcome => ({
  round: number,
  title: '',
  results: Array.from({ length: questions }, () => RESULT),
  roundTotal,
});

describe('placeOf', () => {
  it('reads rank, size and movement', () => {
    expect(placeOf([row('a', 1, 3), row('b', 2, 1)], 'a', 2)).toEqual({ rank: 1, of: 2, score: 99, up: 2, shared: false });
    expect(placeOf([row('a', 1, 3), row('b', 2, 1)], 'b', 2)?.up).toBe(-1);
  });

  it('knows no movement on the first board', () => {
    expect(placeOf([row('a', 1)], 'a', 1)?.up).toBeNull();
  });

  it('sees a shared rank', () => {
    expect(placeOf([row('a', 1), row('b', 1)], 'b', 2)?.shared).toBe(true);
  });

  it('is null for a stranger', () => {
    expect(placeOf(rows(3), 'unknown', 3)).toBeNull();
  });

  it('knows how many play when the board is cut', () => {
    expect(placeOf([...rows(10), row('me', 350)], 'me', 400)?.of).toBe(400);
  });
});

describe('bestRound', () => {
  it('is the one with the most points, the first of equals', () => {
    expect(bestRound([round(1, 20), round(2, 50), round(3, 50)])?.round).toBe(2);
  });

  it('is none when nothing was won', () => {
    expect(bestRound([round(1, 0)])).toBeNull();
    expect(bestRound([])).toBeNull();
  });

  it('is none where each question is a round', () => {
    expect(bestRound([round(1, 20, 1), round(2, 22, 1), round(3, 0, 0)])).toBeNull();
    expect(bestRound([round(1, 22, 1), round(2, 20)])?.round).toBe(1);
  });
});

describe('podium', () => {
  it('holds the first three ranks with their equals', () => {
    const names = podium([row('a', 1), row('b', 2), row('c', 2), row('d', 4)]).map((each) => each.playerId);
    expect(names).toEqual(['a', 'b', 'c']);
  });

  it('leaves out players without points', () => {
    expect(podium([row('a', 1), { ...row('b', 2), score: 0 }]).map((each) => each.playerId)).toEqual(['a']);
    expect(podium([{ ...row('a', 1), score: 0 }])).toEqual([]);
  });

  it('has room for six', () => {
    expect(podium(Array.from({ length: 9 }, (_, index) => row(`p${index}`, 1)))).toHaveLength(6);
  });
});
