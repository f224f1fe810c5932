// The tally that the host shows, as the host's game sees it.

import { expect, it } from 'vitest';

import { HostGame } from '../src/host.ts';
import { FakeWorld } from './fake.ts';
import { hostStatus, pong, released, roundStarted } from './messages.ts';

const tally = (...entries: [answer: string, count: number][]) => ({
  type: 'tally',
  payload: { questionId: 'q1', entries: entries.map(([answer, count]) => ({ answer, count })) },
});

it('is shown whenever the host says so, confirmed by the message, and forgotten with the round', () => {
  const world = new FakeWorld();
  const game = new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: world.whole });
  world.socket.open('quizhall.v1');
  world.socket.deliver(hostStatus(), roundStarted(), released('q1'), pong);
  world.pass(1_000);
  const deliver = (message: { type: string; payload?: object }) => {
    world.socket.deliver(message);
    world.pass(0);
    return game.view;
  };

  expect(game.view.tally).toBeNull();
  expect([game.showTally('q1'), game.showTally('q1')], 'a double click').toEqual([true, false]);
  expect(game.view.pending).toEqual(['show_tally:q1']);
  expect(deliver(tally(['sea', 2]))).toMatchObject({ tally: { questionId: 'q1', entries: [{ answer: 'sea', count: 2 }] }, pending: [] });
  expect(game.showTally('q1', ['sea'])).toBe(true);
  expect(deliver(tally())).toMatchObject({ tally: { entries: [] }, pending: [] });
  const sent = world.socket.sent.filter(({ type }) => type === 'show_tally').map(({ payload }) => payload);
  expect(sent).toEqual([{ questionId: 'q1' }, { questionId: 'q1', hide: ['sea'] }]);
  expect(deliver(roundStarted(2)).tally).toBeNull();
});
