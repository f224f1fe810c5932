// How many play, in words: teams where several phones play as one, players otherwise.

import { count, m } from '$words/language.svelte.ts';

import type { Hosting } from './hosting.svelte.ts';
import type { Person } from './room.ts';

/** The count of players, or of teams. */
export function whoWords({ counts, hasTeams }: Pick<Hosting, 'counts' | 'hasTeams'>): string {
  const words = hasTeams ? m.run_room_teams : m.run_room_title;
  return words({ count: counts.all, shown: count(counts.all) });
}

/** How many phones a team has, and how many of them are here where that is not all. */
export function phonesWords({ devices }: Person): string {
  const here = devices.filter(({ connected }) => connected).length;
  return here === devices.length ? m.run_team_all_phones({ count: here }) : m.run_team_phones({ count: devices.length, here: count(here) });
}
