// Players with equal scores, and their order by tie-breaks. The boards in messages have that order and its ranks; the results over
// HTTP have only the order. Pure.

import type { LeaderboardEntry, Results, TieBreakStatus } from './generated/protocol.ts';
import type { BoardRow } from './view.ts';

/** Whether this is a tie-break that accepts answers. */
export function isOpen(tieBreak: TieBreakStatus | undefined): tieBreak is TieBreakStatus {
  return tieBreak !== undefined && tieBreak.number === undefined;
}

/** Players who were not asked come after those who were. */
const LAST = Infinity;

/** The place of a player in each tie-break. */
function placesOf(tieBreaks: readonly TieBreakStatus[], playerId: string): number[] {
  return tieBreaks.map(({ players }) => players.find((one) => one.playerId === playerId)?.place ?? LAST);
}

/** Whether the first tie-break that separates two players puts this one first. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((place, at) => place !== other[at]);
  return (one[at] ?? LAST) < (other[at] ?? LAST);
}

/** The standings of the results: players with equal scores share a rank only if no tie-break after the last round put them in order. */
export function standingsOf({ leaderboard, rounds }: Pick<Results, 'leaderboard' | 'rounds'>): readonly LeaderboardEntry[] {
  const tieBreaks = rounds.at(-1)?.tieBreaks ?? [];
  const rows = leaderboard.map((row) => ({ row, places: placesOf(tieBreaks, row.playerId) }));
  return rows.map(({ row, places }) => {
    const before = rows.filter((other) => other.row.rank === row.rank && isBefore(other.places, places));
    return { ...row, rank: row.rank + before.length };
  });
}

/** Equal players, best first: at least two of each rank. */
export function equalsOf(board: readonly BoardRow[]): readonly (readonly BoardRow[])[] {
  const ranks = [...new Set(board.map(({ rank }) => rank))];
  return ranks.map((rank) => board.filter((row) => row.rank === rank)).filter((rows) => rows.length > 1);
}

/** A whole number as people write it, with or without grouped digits, of at most 15 digits; null for anything else. */
export function wholeOf(text: string): number | null {
  const plain = text.trim().replace(/[\s'’.,](?=\d{3}(\D|$))/g, '').replace('−', '-');
  return /^-?\d{1,15}$/.test(plain) ? Number(plain) : null;
}
