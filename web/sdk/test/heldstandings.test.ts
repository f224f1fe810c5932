import { describe, expect, it } from 'vitest';

import { host, v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import { hostStatus, leaderboard, marking, review, room, roundEnded, roundStarted, standings } from './messages.ts';

const PEOPLE = room(true, [['Ann', 'connected']]);
const REVIEW: Messages = [hostStatus(), PEOPLE, roundStarted(), roundEnded, review([['Ann', 'q1', 'Rome', true]]), marking(0)];
const BOARD: Messages = [hostStatus(), PEOPLE, roundStarted(), leaderboard(['Ann', 100, 1])];

describe('standings that are held', () => {
  it('are released and shown once each', () => {
    const { game, deliver, sent } = v1(...REVIEW);
    expect(game.showStandings()).toBe(false);
    expect([game.releaseOwnScores(), game.releaseOwnScores(), game.releaseScores()]).toEqual([true, false, false]);
    expect(deliver(standings(true), leaderboard(['Ann', 100, 1]))).toMatchObject({
      phase: 'leaderboard',
      standingsHeld: true,
      pending: [],
    });
    expect([game.showStandings(), game.showStandings()]).toEqual([true, false]);
    expect(deliver(standings(false))).toMatchObject({ standingsHeld: false, pending: [] });
    expect(game.showStandings()).toBe(false);
    expect(sent().slice(-2)).toEqual(['release_own_scores', 'show_standings']);
  });

  it('are shown after a lost connection if the server still holds them', () => {
    const { world, game, comeBack, sent } = v1(hostStatus(), PEOPLE, roundStarted(), standings(true), leaderboard(['Ann', 100, 1]));
    expect(game.view.standingsHeld).toBe(true);
    world.socket.end();
    expect(game.showStandings()).toBe(true);
    comeBack(hostStatus(), PEOPLE, roundStarted(), standings(true), leaderboard(['Ann', 100, 1]));
    expect(sent().at(-1)).toBe('show_standings');
    comeBack(...BOARD);
    expect(game.view).toMatchObject({ standingsHeld: false, pending: [] });
  });

  it('do not exist for a server without them', () => {
    const { game } = host('', ...REVIEW.filter(({ type }) => !['host_status', 'room_update', 'round_started', 'marking_update'].includes(type)));
    expect([game.releaseOwnScores(), game.releaseScores()]).toEqual([false, true]);
  });
});
