// A player's own place, read off a board, and the best round of a game. Pure; used by Scores and Ended.

import type { BoardRow, RoundOutcome } from '$sdk';
import { onPodium } from '$sdk/podium.ts';

/** The place of a player on the board. */
export interface Place {
  readonly rank: number;
  /** The number of players. */
  readonly of: number;
  readonly score: number;
  /** The places gained since the board before; negative when lost, null on the first board. */
  readonly up: number | null;
  /** Whether another player has the same rank. */
  readonly shared: boolean;
}

/** The place of a player on a board of this many players; null when the board does not list the player. */
export function placeOf(board: readonly BoardRow[], playerId: string, of: number): Place | null {
  const mine = board.find((row) => row.playerId === playerId);
  if (!mine) return null;
  return {
    rank: mine.rank,
    of,
    score: mine.score,
    up: mine.previousRank === null ? null : mine.previousRank - mine.rank,
    shared: board.some((row) => row.rank === mine.rank && row !== mine),
  };
}

/**
 * The round that brought the most points, the first of equals; null when none brought any, and where all rounds are single questions, as
 * in a game that goes question by question. A phone that is opened at the end knows of no section.
 */
export function bestRound(history: readonly RoundOutcome[]): RoundOutcome | null {
  if (history.every(({ results }) => results.length < 2)) return null;
  let best: RoundOutcome | null = null;
  for (const outcome of history) if (outcome.roundTotal > (best?.roundTotal ?? 0)) best = outcome;
  return best;
}

/** The rows on the podium: ranks 1 to 3 with points, at most six rows. Players with equal scores share a step. */
export function podium(board: readonly BoardRow[]): BoardRow[] {
  return onPodium(board).slice(0, 6);
}
