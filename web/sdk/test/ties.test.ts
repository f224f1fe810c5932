import { describe, expect, it } from 'vitest';

import type { BoardRow, TieBreakStatus } from '../src/index.ts';
import { equalsOf, standingsOf, wholeOf } from '../src/ties.ts';

const row = (playerId: string, score: number, rank: number): BoardRow => ({ playerId, displayName: playerId, score, rank, previousRank: null });

const tied = (playerId: string, place?: number) => ({ playerId, displayName: playerId, answered: true, ...(place !== undefined && { place }) });

const over = (...places: readonly [string, number][]): TieBreakStatus => ({
  text: '?',
  number: 1,
  players: places.map(([playerId, place]) => tied(playerId, place)),
});

const BOARD = [row('a', 5, 1), row('b', 5, 1), row('c', 5, 1), row('d', 2, 4), row('e', 2, 4)];

function ranks(order: string, tieBreaks: TieBreakStatus[]): string[] {
  const leaderboard = [...order].flatMap((playerId) => BOARD.filter((row) => row.playerId === playerId));
  const rounds = [{ title: '', questions: [], jokers: [], tieBreaks }];
  return standingsOf({ leaderboard, rounds }).map(({ playerId, rank }) => `${playerId}${String(rank)}`);
}

describe('tie-breaks', () => {
  it('leave the ranks as they are until one is over', () => {
    expect(ranks('abcde', [{ text: '?', players: [tied('a'), tied('b')] }])).toEqual(['a1', 'b1', 'c1', 'd4', 'e4']);
  });

  it('put equals in order, and no one else', () => {
    expect(ranks('bcade', [over(['a', 3], ['b', 1], ['c', 1], ['d', 1])])).toEqual(['b1', 'c1', 'a3', 'd4', 'e5']);
  });

  it('leave whom the earlier one put in order where they are', () => {
    expect(ranks('bcade', [over(['a', 2], ['b', 1], ['c', 2]), over(['a', 2], ['c', 1])])).toEqual(['b1', 'c2', 'a3', 'd4', 'e4']);
  });

  it('are for players of one rank', () => {
    expect(equalsOf(BOARD).map((rows) => rows.map(({ playerId }) => playerId).join(''))).toEqual(['abc', 'de']);
    expect(equalsOf([row('a', 2, 1), row('b', 1, 2)])).toEqual([]);
  });

  it('take whole numbers as people write them', () => {
    expect(['88', ' -5 ', '−5', '1.234', '1,234,567', "1'000", '1 000'].map(wholeOf)).toEqual([88, -5, -5, 1234, 1_234_567, 1000, 1000]);
    expect(['', '1.5', 'a dozen', '1e5', '12.34', '9'.repeat(16)].map(wholeOf)).toEqual([null, null, null, null, null, null]);
  });
});
