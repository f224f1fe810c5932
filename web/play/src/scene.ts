// Chooses the view of the page for a moment. Pure; App.svelte draws it.

import type { ClosedBecause, PlayerView } from '$sdk';

/** The views of the page. */
export type Scene =
  | 'join'
  | 'coming'
  | 'lobby'
  | 'sheet'
  | 'review'
  | 'scores'
  | 'ended'
  | 'elsewhere'
  | 'removed'
  | 'gone'
  | 'unknown'
  | 'seat';

const BY_PHASE = {
  lobby: 'lobby',
  question: 'sheet',
  round_review: 'review',
  leaderboard: 'scores',
  ended: 'ended',
} as const satisfies Record<NonNullable<PlayerView['phase']>, Scene>;

const BY_CLOSE = {
  replaced: 'elsewhere',
  removed: 'removed',
  game_over: 'gone',
  game_closed: 'gone',
  game_not_found: 'unknown',
  unauthorized: 'seat',
  forbidden: 'seat',
  left: 'join',
} as const satisfies Record<ClosedBecause, Scene>;

/** The view for this moment of a seat. A final board stays, even if the socket is lost. */
export function sceneOf(view: PlayerView | null): Scene {
  if (view === null) return 'coming';
  if (view.phase === 'ended') return 'ended';
  if (view.connection.state === 'closed') return BY_CLOSE[view.connection.why];
  return view.phase === null ? 'coming' : BY_PHASE[view.phase];
}

/** Whether a seat from storage turned out to be invalid before it showed anything. */
export function leadsNowhere(view: PlayerView): boolean {
  return view.phase === null && ['gone', 'unknown', 'seat'].includes(sceneOf(view));
}
