// A player in a game that a test controls, for the tests of PlayerGame.

import { HostGame } from '../src/host.ts';
import { PlayerGame } from '../src/player.ts';
import type { PlayerView, SeatRecord } from '../src/view.ts';
import { FakeStorage, FakeWorld } from './fake.ts';
import type { FakeSocket } from './fake.ts';
import { accepted, hostStatus, lobby, pong, released, roundStarted } from './messages.ts';

export const SEAT: SeatRecord = { gameCode: 'ABC234', playerId: 'id-Ann', displayName: 'Ann', sessionToken: 'qp_secret' };

export function play(storage = new FakeStorage()) {
  const world = new FakeWorld(storage);
  const game = new PlayerGame(SEAT, { base: 'http://h', platform: world.whole });
  return { world, game, storage };
}

/** In the first round, with these questions open, and these answered before. */
export function playing(open: string[], answered: string[] = [], storage = new FakeStorage()) {
  const start = play(storage);
  start.world.socket.open();
  start.world.socket.deliver(hostStatus(), roundStarted(), ...open.map(released), ...answered.map(accepted), pong);
  start.world.pass(200);
  return start;
}

export function comeBack(world: FakeWorld, ...sync: { type: string; payload?: object }[]) {
  world.pass(20_000);
  world.socket.open();
  world.socket.deliver(...sync, pong);
  world.pass(200);
}

export const sent = (world: FakeWorld) => world.socket.sent.map(({ payload }) => `${String(payload?.questionId)}=${String(payload?.answer)}`);
export const states = (view: PlayerView) => view.questions.map((open) => `${open.question.id} ${open.state} ${String(open.answer)}`);

/** The messages with which `playing` with one question begins. */
export const SYNC = [hostStatus(), roundStarted(), released('q1')];

/** A host in the lobby, or in the state after these messages. */
export function hosting(...sync: { type: string; payload?: object }[]) {
  const world = new FakeWorld();
  const game = new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: world.whole });
  world.socket.open();
  world.socket.deliver(hostStatus(), lobby(), ...sync, pong);
  return { world, game };
}

/** From here on this socket's pings are answered. */
export function lives(socket: FakeSocket): void {
  socket.onping = () => {
    socket.deliver(pong);
  };
}
