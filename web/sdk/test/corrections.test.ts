// What the host's game knows of appeals.

import { describe, expect, it } from 'vitest';

import { HostGame } from '../src/host.ts';
import { FakeWorld } from './fake.ts';
import { appealsUpdate, hostStatus, leaderboard, pong, room, roundStarted } from './messages.ts';

type Messages = { type: string; payload?: object }[];

const PEOPLE = room(true, [
  ['Ann', 'connected'],
  ['Ben', 'disconnected'],
]);
const BOARD: Messages = [hostStatus(), PEOPLE, roundStarted(), leaderboard(['Ann', 100, 1])];

function v1(...sync: Messages) {
  const world = new FakeWorld();
  const game = new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: world.whole });
  const connect = (...messages: Messages) => {
    world.socket.open('quizhall.v1');
    world.socket.deliver(...messages, pong);
    world.pass(1_000);
  };
  const deliver = (...messages: Messages) => {
    world.socket.deliver(...messages);
    world.pass(0);
    return game.view;
  };
  const comeBack = (...messages: Messages) => {
    world.socket.end();
    world.pass(20_000);
    connect(...messages);
  };
  const sent = () => world.socket.sent.map(({ type, payload }) => (payload ? `${type} ${JSON.stringify(payload)}` : type));
  connect(...sync);
  return { game, deliver, comeBack, sent };
}

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
