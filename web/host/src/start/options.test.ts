// Tests the options of a game: presets as sets of them, the body of a request, and reading them from a game or a storage.
import { describe, expect, it } from 'vitest';

import type { Game } from '$sdk';

import { bodyOf, choiceOf, EACH_PRESET, optionsOf, PLAIN, PRESETS, readOptions, USUAL } from './options.ts';

const game = (parts: object): Game => ({ id: '1', title: '', ...parts }) as Game;

describe('the body of a request', () => {
  it('of a plain game is empty, so that the server decides', () => {
    expect(bodyOf(PLAIN)).toEqual({});
  });

  it.each([
    ['pub', { phonesAfterScreen: true, teams: { devices: 6 } }],
    ['classroom', { pace: 'question', boardAfter: 'third', answerSeconds: 20, closeWhenAnswered: true, cleanNames: true }],
    ['speed', { pace: 'question', boardAfter: 'question', answerSeconds: 20, closeWhenAnswered: true, cleanNames: true, speedPoints: true, streaks: true }],
  ] as const)('of %s has what that preset is', (preset, body) => {
    expect(bodyOf(PRESETS[preset])).toEqual(body);
  });

  it('has nothing about standings and later marks where rounds are played', () => {
    expect(bodyOf({ ...PLAIN, boardAfter: 'third', markLater: true })).toEqual({});
    expect(bodyOf({ ...PLAIN, pace: 'question', boardAfter: 'section', markLater: true })).toEqual({
      pace: 'question',
      boardAfter: 'section',
      markLater: true,
    });
  });

  it('has the whole plan of an autopilot, and only the captain where that was chosen', () => {
    const teams = { devices: 4, captainOnly: true };
    const { autopilot } = USUAL;
    expect(bodyOf({ ...PLAIN, teams, autopilot })).toEqual({ teams, autopilot });
  });
});

describe('a choice', () => {
  it.each(EACH_PRESET.filter((preset) => preset !== 'own'))('is %s when the options are', (preset) => {
    expect(choiceOf({ ...PRESETS[preset] }).preset).toBe(preset);
  });

  it('is one’s own with any other option', () => {
    expect(choiceOf(PLAIN).preset).toBe('own');
    expect(choiceOf({ ...PRESETS.pub, streaks: true }).preset).toBe('own');
    expect(choiceOf({ ...PRESETS.pub, teams: { devices: 5, captainOnly: false } }).preset).toBe('own');
  });
});

describe('the options of a game', () => {
  it.each(['pub', 'classroom', 'speed'] as const)('come back from what was sent: %s', (preset) => {
    expect(optionsOf(game({ options: bodyOf(PRESETS[preset]) }))).toEqual(PRESETS[preset]);
  });

  it('come back whole, with autopilot and teams', () => {
    const options = { ...PLAIN, teams: { devices: 12, captainOnly: true }, autopilot: { ...USUAL.autopilot, answerFor: 45 }, streaks: true };
    expect(optionsOf(game({ options: bodyOf(options) }))).toEqual(options);
  });

  it('are the few of a game from before', () => {
    const before = { phonesAfterScreen: true, cleanNames: true, teams: { devices: 4 } };
    expect(optionsOf(game(before))).toEqual({ ...PLAIN, ...before, teams: { devices: 4, captainOnly: false } });
    expect(optionsOf(game({}))).toEqual(PLAIN);
  });
});

describe('options from a storage', () => {
  it.each([null, undefined, 'pub', 7, { pace: 'slow' }, { pace: 'question', boardAfter: 'never' }])('are none: %j', (read) => {
    expect(readOptions(read)).toBeNull();
  });

  it('are plain where a value is not what it should be', () => {
    expect(readOptions({ streaks: 'yes', answerSeconds: '20', cleanNames: true, unknown: 1 })).toEqual({ ...PLAIN, cleanNames: true });
    expect(readOptions({ autopilot: { revealFor: 12 } })?.autopilot).toEqual({ ...USUAL.autopilot, revealFor: 12, standingsFor: 12 });
    expect(readOptions({ autopilot: { answerFor: 'long' } })).toEqual({ ...PLAIN, autopilot: USUAL.autopilot });
  });
});
