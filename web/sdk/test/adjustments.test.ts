// Points by hand in the host's game, and in the player's results.

import { describe, expect, it } from 'vitest';

import { v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import { hostStatus, leaderboard, released, room, roundStarted, scores } from './messages.ts';
import { playing } from './playing.ts';

const PEOPLE = room(true, [
  ['Ann', 'connected'],
  ['Ben', 'connected'],
]);
const ASKING: Messages = [hostStatus(), PEOPLE, roundStarted(), released('q1')];
const given = (...all: [id: string, points: number][]) => ({
  type: 'adjustments_update',
  payload: { adjustments: all.map(([adjustmentId, points]) => ({ adjustmentId, playerId: 'id-Ben', round: 1, points })) },
});

describe('points by hand', () => {
  it('are sent once, and shown once the server has them', () => {
    const { game, deliver, sent } = v1(...ASKING);
    expect([game.adjustPoints('id-Ben', -5, ' Phone '), game.adjustPoints('id-Ben', -5, 'Phone')]).toEqual([true, false]);
    expect(sent().at(-1)).toBe('adjust_points {"playerId":"id-Ben","points":-5,"reason":"Phone"}');
    expect(game.view.pending).toEqual(['adjust_points:id-Ben']);
    deliver(given(['a', -5]));
    expect([game.view.pending, game.view.adjustments.map(({ points }) => points)]).toEqual([[], [-5]]);
    expect(game.adjustPoints('id-Ben', -5), 'the same again is another decision').toBe(true);
  });

  it('are not given twice when the connection is lost, and undone again', () => {
    const { game, deliver, comeBack, sent } = v1(...ASKING);
    game.adjustPoints('id-Ben', 7);
    comeBack(...ASKING, given(['a', 7]));
    expect([game.view.pending, sent().filter((text) => text.startsWith('adjust_points'))]).toEqual([[], []]);
    expect(game.undoAdjustment('a')).toBe(true);
    comeBack(...ASKING, given(['a', 7]));
    expect(sent().at(-1)).toBe('undo_adjustment {"adjustmentId":"a"}');
    deliver(given());
    expect([game.view.pending, game.undoAdjustment('a'), game.view.adjustments]).toEqual([[], false, []]);
    comeBack(...ASKING);
    expect(game.view.adjustments).toEqual([]);
  });

  it('stand in the results of their player with the reason', () => {
    const { game, world } = playing(['q1'], ['q1']);
    const deliver = (...messages: Messages) => {
      world.socket.deliver(...messages);
      world.pass(0);
    };
    const { type, payload } = scores(95, ['q1', 'x', true]);
    deliver(leaderboard(['Ann', 95, 1]), { type, payload: { ...payload, adjustments: [{ points: -5, reason: 'Phone' }] } });
    expect(game.view.outcome).toMatchObject({ roundTotal: 95, adjustments: [{ points: -5, reason: 'Phone' }] });
    deliver({ type, payload: { ...payload, roundTotal: 100 } });
    expect(game.view.outcome?.adjustments).toBeUndefined();
  });
});
