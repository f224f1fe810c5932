// The players on the podium: equal ranks share a step, so no player of the first three ranks is left out. Pure; drawn by Podium.svelte.

import type { BoardRow } from '$sdk';
import { onPodium } from '$sdk/podium.ts';

/** A step of the podium. */
export interface Step {
  readonly rank: number;
  readonly rows: readonly BoardRow[];
}

/** The steps of the first three ranks, best first. Players without points have none, as on the screen. */
export function stepsOf(board: readonly BoardRow[]): readonly Step[] {
  const best = onPodium(board);
  const ranks = [...new Set(best.map((row) => row.rank))];
  return ranks.map((rank) => ({ rank, rows: best.filter((row) => row.rank === rank) }));
}
