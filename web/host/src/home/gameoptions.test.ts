// Tests the options of new games that this device remembers.
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { gameOptions, setNamesChecked, setPhonesWait, setTeamOptions, teamOptions } from './gameoptions.ts';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

describe('gameOptions', () => {
  it('are none at first', () => {
    expect(gameOptions()).toEqual({});
    expect(teamOptions()).toEqual({ on: false, devices: 6, captainOnly: false });
  });

  it('are those that were chosen', () => {
    setPhonesWait(true);
    setTeamOptions({ on: true, devices: 4, captainOnly: false });
    expect(gameOptions()).toEqual({ phonesAfterScreen: true, teams: { devices: 4 } });
    setTeamOptions({ on: true, devices: 12, captainOnly: true });
    expect(gameOptions()).toEqual({ phonesAfterScreen: true, teams: { devices: 12, captainOnly: true } });
  });

  it('have names checked until that is switched off', () => {
    setNamesChecked(true);
    expect(gameOptions()).toEqual({ cleanNames: true });
    setNamesChecked(false);
    expect(gameOptions()).toEqual({});
  });

  it('remember how teams play while they are off', () => {
    setTeamOptions({ on: false, devices: 3, captainOnly: true });
    expect(gameOptions()).toEqual({});
    expect(teamOptions()).toEqual({ on: false, devices: 3, captainOnly: true });
  });

  it.each(['on 1', 'on 13', 'on', 'on 6 captain', '{}'])('take nothing from %j', (text) => {
    kept.set('quizhall.games.teams', text);
    expect(gameOptions()).toEqual({});
  });
});
