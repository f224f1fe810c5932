// The options of games that are started on this device; remembered here, so that each evening is like the last one.

import type { NewGame } from '$sdk';

import { remember, remembered } from '../run/device.ts';

const PHONES = 'quizhall.games.phones';
const NAMES = 'quizhall.games.names';
const TEAMS = 'quizhall.games.teams';

/** Whether phones wait for the screen in future games. */
export const phonesWait = (): boolean => remembered(PHONES) === 'wait';

export function setPhonesWait(wait: boolean): void {
  remember(PHONES, wait ? 'wait' : 'follow');
}

/** Whether names are checked on joining in future games. */
export const namesChecked = (): boolean => remembered(NAMES) === 'checked';

export function setNamesChecked(checked: boolean): void {
  remember(NAMES, checked ? 'checked' : 'any');
}

/** How several phones play as a team in future games. */
export interface TeamOptions {
  readonly on: boolean;
  readonly devices: number;
  readonly captainOnly: boolean;
}

/** How many phones a team can have. */
export const DEVICES = { least: 2, most: 12 } as const;
const AT_FIRST: TeamOptions = { on: false, devices: 6, captainOnly: false };

export function teamOptions(): TeamOptions {
  const kept = /^(on|off) (\d+)( first)?$/.exec(remembered(TEAMS) ?? '');
  const devices = Number(kept?.[2]);
  if (kept === null || devices < DEVICES.least || devices > DEVICES.most) return AT_FIRST;
  return { on: kept[1] === 'on', devices, captainOnly: kept[3] !== undefined };
}

export function setTeamOptions({ on, devices, captainOnly }: TeamOptions): void {
  remember(TEAMS, `${on ? 'on' : 'off'} ${String(devices)}${captainOnly ? ' first' : ''}`);
}

/** The options with which a game is started. */
export function gameOptions(): Omit<NewGame, 'quizId'> {
  const { on, devices, captainOnly } = teamOptions();
  return {
    ...(phonesWait() && { phonesAfterScreen: true }),
    ...(namesChecked() && { cleanNames: true }),
    ...(on && { teams: { devices, ...(captainOnly && { captainOnly }) } }),
  };
}
