// A host in a game that a test controls, for the tests of HostGame.

import { HostGame } from '../src/host.ts';
import { FakeWorld } from './fake.ts';
import { pong } from './messages.ts';

export type Messages = { type: string; payload?: object }[];

/** Without `quizhall.v1` when the protocol is empty. */
export function host(protocol: string, ...sync: Messages) {
  const world = new FakeWorld();
  const game = new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: world.whole });
  const connect = (...messages: Messages) => {
    world.socket.open(protocol);
    world.socket.deliver(...messages);
    if (protocol !== '') world.socket.deliver(pong);
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
  return { world, game, deliver, comeBack, sent };
}

export const v1 = (...sync: Messages) => host('quizhall.v1', ...sync);
