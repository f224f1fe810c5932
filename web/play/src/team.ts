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
  if (at > 0) return devices[at]?.displayName ?? '';
  return captain === null ? m.everywhere_team_first() : m.everywhere_team_captain();
}
