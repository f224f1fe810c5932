// Who stands on the podium: the one rule of the host's page, the phones and, through the server's pictures, the screen. Pure.

import type { BoardRow } from './view.ts';

/** The players of the first three ranks, best first, with their equals. Players without points have no place there. */
export function onPodium<Row extends Pick<BoardRow, 'rank' | 'score'>>(board: readonly Row[]): Row[] {
  return board.filter((row) => row.rank <= 3 && row.score > 0);
}
