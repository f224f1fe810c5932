// A team as its phones show it. Pure but for the words.

import type { Team } from '$sdk';
import { m } from '$words/language.svelte.ts';

/**
 * The name of a phone of the team. The first phone has the name of the team, which would not identify it here; a phone that is not listed
 * was removed.
 */
export function phoneName({ captain, devices }: Team, id: string): string {
  const at = devices.findIndex(({ deviceId }) => deviceId === id);
  if (at < 0) return m.play_team_gone();
  if (id === captain) return m.everywhere_team_captain();
  return at > 0 ? (devices[at]?.displayName ?? '') : m.everywhere_team_first();
}
