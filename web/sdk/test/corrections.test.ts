// What the host's game knows of appeals.

import { describe, expect, it } from 'vitest';

import { v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import { appealsUpdate, hostStatus, leaderboard, room, roundStarted } from './messages.ts';

const PEOPLE = room(true, [
  ['Ann', 'connected'],
  ['Ben', 'disconnected'],
]);
const BOARD: Messages = [hostStatus(), PEOPLE, roundStarted(), leaderboard(['Ann', 100, 1])];

describe('corrections', () => {
  it('keeps the appeals that are open, and none of a player who was removed', () => {
    const { game, deliver, comeBack, sent } = v1(...BOARD);
    const open = () => game.view.appeals.map(({ displayName, questionId }) => `${displayName} ${questionId}`);
    deliver(appealsUpdate(['Ann', 'q1', 'open'], ['Ben', 'q1', 'open'], ['Ann', 'q2', 'open']));
    expect(open()).toEqual(['Ann q1', 'Ben q1', 'Ann q2']);
    expect([game.dismissAppeal('id-Ben', 'q1'), game.correctPlayers('q2', ['id-Ann'], true)]).toEqual([true, true]);
    expect(sent().slice(-2)).toEqual([
      'dismiss_appeal {"playerId":"id-Ben","questionId":"q1"}',
      'correct_marks {"questionId":"q2","playerIds":["id-Ann"],"correct":true}',
    ]);
    deliver(appealsUpdate(['Ben', 'q1', 'dismissed'], ['Ann', 'q2', 'accepted']));
    expect(open()).toEqual(['Ann q1']);
    deliver(appealsUpdate(['Ben', 'q3', 'open']), room(false, [['Ann', 'gone']], { total: 1, connected: 1, locked: false }));
    expect(open()).toEqual(['Ben q3']);
    comeBack(...BOARD);
    expect(open()).toEqual([]);
  });
});
