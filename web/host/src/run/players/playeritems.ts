// What the host can do about one player, each with a dialogue of its own. Pure but for the words.

import { m } from '$words/language.svelte.ts';

import type { Person } from '../room.ts';

/** The dialogues about a player. */
export type PlayerTask = 'rename' | 'points' | 'extra' | 'move' | 'phones' | 'remove' | 'ban';

/** A line of a player's menu. */
export interface PlayerItem {
  readonly task: PlayerTask;
  readonly label: string;
  readonly danger: boolean;
}

/** The lines of a player's menu; `leads`: whether the user takes the steps, to which extra time and points belong; `isBegun`: whether rounds
 * are played. */
export function playerItems({ onPaper, devices }: Person, { leads, isBegun }: { leads: boolean; isBegun: boolean }): readonly PlayerItem[] {
  const isTeam = devices.length > 0;
  const item = (task: PlayerTask, label: string, danger = false): PlayerItem => ({ task, label, danger });
  return [
    item('rename', m.run_rename_save()),
    ...(leads && isBegun ? [item('points', m.run_points())] : []),
    ...(leads && !onPaper ? [item('extra', m.run_seat_extra())] : []),
    isTeam ? item('phones', m.run_team_list()) : item('move', onPaper ? m.run_paper_phone() : m.run_seat_move()),
    item('remove', m.run_seat_remove(), true),
    ...(onPaper ? [] : [item('ban', m.run_seat_ban_short(), true)]),
  ];
}
