// Between two rounds: revealed answers and breaks, in both games.

import { expect, it } from 'vitest';

import { HostGame } from '../src/host.ts';
import { msLeft } from '../src/timers.ts';
import { FakeWorld } from './fake.ts';
import { hostStatus, pong, roundStarted } from './messages.ts';

const revealed = (questionId: string, correctAnswer: string) => ({ type: 'answer_revealed', payload: { questionId, correctAnswer } });
const pause = (payload: object) => ({ type: 'break_update', payload });

/** The host in a review. */
function reviewing() {
  const world = new FakeWorld();
  const game = new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: world.whole });
  world.socket.open('quizhall.v1');
  world.socket.deliver(hostStatus(), roundStarted(), { type: 'round_ended' }, pong);
  world.pass(1_000);
  const deliver = (message: { type: string; payload?: object }) => {
    world.socket.deliver(message);
    world.pass(0);
    return game.view;
  };
  return { world, game, deliver };
}

it('an answer is revealed once, kept in its order, and forgotten with the round', () => {
  const { world, game, deliver } = reviewing();
  expect([game.revealAnswer('q1'), game.revealAnswer('q1')], 'a double click').toEqual([true, false]);
  expect(game.view.pending).toEqual(['reveal_answer:q1']);
  expect(deliver(revealed('q1', 'sea')).pending).toEqual([]);
  expect(game.revealAnswer('q1'), 'it is revealed already').toBe(false);
  deliver(revealed('q2', 'red'));
  expect(deliver(revealed('q1', 'the sea')).revealed.map(({ correctAnswer }) => correctAnswer)).toEqual(['the sea', 'red']);
  expect(world.socket.sent.filter(({ type }) => type === 'reveal_answer')).toHaveLength(1);
  expect(deliver(roundStarted(2)).revealed).toEqual([]);
  expect(game.revealAnswer('q1'), 'a question is open').toBe(false);
});

it('a break falls by the clock of the device, and is over when the server says so', () => {
  const { world, game, deliver } = reviewing();
  expect(game.endBreak(), 'there is none').toBe(false);
  expect(game.startBreak(60, ' Drinks ')).toBe(true);
  expect(world.socket.sent.at(-1)).toEqual({ type: 'start_break', payload: { seconds: 60, text: 'Drinks' } });
  const { pause: begun, pending } = deliver(pause({ remainingMs: 60_000, text: 'Drinks' }));
  expect([begun?.text, pending]).toEqual(['Drinks', []]);
  world.pass(20_000);
  expect(begun && msLeft(begun, world.whole.now())).toBeLessThanOrEqual(40_000);
  expect(game.endBreak()).toBe(true);
  expect(deliver(pause({}))).toMatchObject({ pause: null, pending: [] });
  expect(deliver(pause({ remainingMs: 5_000 })).pause?.text).toBe('');
  expect(deliver(roundStarted(2)).pause).toBeNull();
});
