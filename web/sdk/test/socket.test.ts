import { describe, expect, it } from 'vitest';

import { judge } from '../src/closing.ts';
import { CLOSE_CODES } from '../src/generated/protocol.ts';
import { HostGame } from '../src/host.ts';
import { GameSocket, socketUrl } from '../src/socket.ts';
import type { SocketEvents } from '../src/socket.ts';
import { FakeWorld } from './fake.ts';
import { hosting } from './playing.ts';

function opened() {
  const world = new FakeWorld();
  const log: string[] = [];
  const events: SocketEvents = {
    opened: () => log.push('opened'),
    received: (message) => log.push(message.type),
    lost: (refused, renewing) => log.push(`lost${refused ? ' refused' : ''}${renewing ? ' renewing' : ''}`),
    changed: () => undefined,
    doubted: () => log.push('doubted'),
    looked: () => log.push('looked'),
  };
  const socket = new GameSocket('ws://x/ws/ABC234?token=t', world.platform, events);
  return { world, log, socket };
}

describe('sending', () => {
  it('is silent once the close has begun, although it has not been reported', () => {
    const { world, socket } = opened();
    const fake = world.sockets[0];
    if (!fake) throw new Error('no socket was opened');
    fake.open();
    socket.send({ type: 'show_leaderboard' });
    fake.closing();
    socket.send({ type: 'show_leaderboard' });
    expect(fake.sent).toEqual([{ type: 'show_leaderboard' }]);
  });
});

describe('closing', () => {
  it('does with every code of the table what the table says', () => {
    for (const [number, { advice }] of Object.entries(CLOSE_CODES)) {
      const code = Number(number);
      const verdict = judge(code, '', 0, 0.5);
      expect(verdict.then, number).toBe(advice === 'stop' ? 'stop' : 'reconnect');
      if (verdict.then === 'stop') continue;
      expect(verdict.refused, number).toBe(advice === 'reconnect' && code !== 4008);
      expect(verdict.pauseMs === 0, number).toBe(advice === 'reconnect_now');
    }
  });

  it.each([
    [1000, 'game_over'],
    [4401, 'unauthorized'],
    [4403, 'forbidden'],
    [4404, 'game_not_found'],
    [4409, 'replaced'],
    [4410, 'game_closed'],
    [4411, 'removed'],
    [4499, 'game_closed'],
  ])('%i stops: %s', (code, why) => {
    expect(judge(code, '', 3, 0.5)).toEqual({ then: 'stop', why });
  });

  it('waits between nothing and a bound that doubles up to 15 s', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 40].map((attempt) => judge(1006, '', attempt, 1));
    expect(longest.map((verdict) => 'pauseMs' in verdict && verdict.pauseMs)).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000,
    ]);
    expect(judge(1006, '', 5, 0)).toMatchObject({ pauseMs: 0 });
  });

  it.each([
    ['service_restart; retry=2-17', 9_500],
    ['service_restart: drain; retry=0-1', 500],
  ])('keeps the window of %s', (reason, pauseMs) => {
    expect(judge(1012, reason, 4, 0.5)).toMatchObject({ pauseMs, imposed: true });
  });

  it.each(['x; retry=5', 'x; retry=9-2', 'x; retry=-1-2', 'x; retry=a-b', 'retry'])('takes %s for no window', (reason) => {
    expect(judge(1012, reason, 0, 0.5)).toMatchObject({ pauseMs: 250, imposed: false });
  });

  it('reconnects at once after 42xx, but not again and again', () => {
    expect(judge(4200, '', 0, 0.5)).toMatchObject({ pauseMs: 0 });
    expect(judge(4200, '', 1, 0.5)).toMatchObject({ pauseMs: 500 });
  });

  it('is slow after too many messages, and refuses none of them', () => {
    expect(judge(4008, '', 0, 0)).toMatchObject({ pauseMs: 2_000, refused: false, imposed: true });
    const tooOften = judge(4008, 'rate_limited: reconnects; retry=4-8', 0, 0.5);
    expect(tooOften).toMatchObject({ pauseMs: 6_000, refused: false, imposed: true });
  });
});

describe('GameSocket', () => {
  it('comes back after a loss, and begins its pauses anew only after a connection that held', () => {
    const { world, socket } = opened();
    world.socket.open();
    world.socket.end();
    expect(socket.state).toMatchObject({ state: 'waiting', attempt: 1, retryAt: world.time + 250 });
    world.pass(250);
    expect(socket.state).toEqual({ state: 'connecting', attempt: 1 });
    world.socket.open();
    world.socket.end();
    expect(socket.state).toMatchObject({ attempt: 2, retryAt: world.time + 500 });
    world.pass(500);
    world.socket.open();
    world.pass(10_000);
    world.socket.end();
    expect(socket.state).toMatchObject({ attempt: 1, retryAt: world.time + 250 });
  });

  it('opens nothing any more after a 44xx, whatever wakes the page', () => {
    const { world, socket } = opened();
    world.socket.open();
    world.socket.end(4409, 'replaced');
    world.sign('online');
    world.sign('visible');
    world.pass(100_000);
    expect(world.sockets).toHaveLength(1);
    expect(socket.state).toEqual({ state: 'closed', why: 'replaced' });
    socket.reopen();
    expect(world.sockets).toHaveLength(2);
  });

  it('hurries when the page wakes, but not against the server', () => {
    const { world, socket } = opened();
    world.pass(2_000);
    world.socket.end();
    world.sign('online');
    expect(world.sockets).toHaveLength(2);
    world.socket.open();
    world.socket.end(1012, 'service_restart; retry=5-5');
    world.pass(4_000);
    world.sign('visible');
    expect(world.sockets).toHaveLength(2);
    world.pass(1_000);
    expect(world.sockets).toHaveLength(3);
    expect(socket.state.state).toBe('connecting');
  });

  it('replaces a connection that has long been silent when the page wakes, and takes nothing more from the old one', () => {
    const { world, log, socket } = opened();
    const old = world.socket;
    old.open();
    old.deliver({ type: 'a' });
    world.pass(14_000);
    world.sign('visible');
    expect(world.sockets).toHaveLength(1);
    world.pass(2_000);
    world.sign('visible');
    expect(world.sockets).toHaveLength(2);
    expect(socket.state.state).toBe('open');
    old.end(4409, 'replaced');
    world.socket.open();
    expect(old.closedByClient).toBe(false);
    world.socket.deliver({ type: 'b' });
    expect(old.closedByClient).toBe(true);
    expect(log).toEqual(['opened', 'a', 'looked', 'lost renewing', 'opened', 'b']);
    expect(socket.state.state).toBe('open');
  });

  it('says so when a renewal takes long, and gives it up in the end', () => {
    const { world, socket } = opened();
    world.socket.open();
    socket.renew();
    world.pass(2_000);
    expect(socket.state.state).toBe('connecting');
    world.pass(8_000);
    expect(socket.state.state).toBe('waiting');
  });

  it('gives up an attempt that hangs', () => {
    const { world, socket } = opened();
    const hanging = world.socket;
    world.pass(10_000);
    expect(socket.state.state).toBe('waiting');
    expect(hanging.closedByClient).toBe(true);
    hanging.open();
    expect(socket.state.state).toBe('waiting');
  });

  it('connects once more when an attempt that it gave up replaces the newer connection', () => {
    const { world, log, socket } = opened();
    world.pass(10_000);
    world.pass(250);
    world.socket.open();
    expect(world.sockets).toHaveLength(2);
    world.socket.end(4409, 'replaced');
    expect(socket.state.state).toBe('waiting');
    world.pass(2_000);
    expect(world.sockets).toHaveLength(3);
    world.socket.open();
    expect(socket.state.state).toBe('open');
    expect(log).toEqual(['opened', 'lost', 'opened']);
    world.socket.end(4409, 'replaced');
    expect(socket.state).toEqual({ state: 'closed', why: 'replaced' });
    world.pass(100_000);
    expect(world.sockets).toHaveLength(3);
  });

  it('believes a 4409 that comes long after an attempt was given up', () => {
    const { world, socket } = opened();
    world.pass(10_000);
    world.pass(250);
    world.socket.open();
    world.pass(60_000);
    world.socket.end(4409, 'replaced');
    expect(socket.state).toEqual({ state: 'closed', why: 'replaced' });
  });

  it('does not go on replacing another tab, although both have given up an attempt', () => {
    const one = opened();
    const other = opened();
    for (const { world } of [one, other]) {
      world.pass(10_000);
      world.pass(250);
    }
    const tabs = [one, other] as const;
    one.world.socket.open();
    let opens = 1;
    // Each connection that opens replaces the other tab's.
    for (let turn = 1; turn < 20; turn += 1) {
      const [here, there] = turn % 2 === 1 ? [other, one] : [one, other];
      here.world.pass(3_000);
      if (here.socket.state.state !== 'connecting') break;
      here.world.socket.open();
      opens += 1;
      there.world.socket.end(4409, 'replaced');
    }
    expect(opens).toBeLessThanOrEqual(4);
    expect(tabs.map(({ socket }) => socket.state.state).sort()).toEqual(['closed', 'open']);
  });

  it('takes an error before it was open for its end, and one after for none', () => {
    const { world, socket } = opened();
    const refused = world.socket;
    refused.onerror?.(new Event('error'));
    refused.end();
    expect(socket.state).toMatchObject({ state: 'waiting', attempt: 1 });
    world.pass(250);
    world.socket.open();
    world.socket.onerror?.(new Event('error'));
    expect(socket.state.state).toBe('open');
  });

  it('hurries by hand as well, and leaves an attempt that has just begun alone', () => {
    const { world, socket } = opened();
    const first = world.socket;
    world.pass(999);
    socket.reopen();
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    socket.reopen();
    expect([world.sockets.length, first.closedByClient]).toEqual([2, true]);
    world.socket.open();
    world.pass(5_000);
    socket.reopen();
    expect(world.sockets, 'one that stands stays').toHaveLength(2);
  });

  it('passes on that the device is offline, as long as it stands', () => {
    const { world, log, socket } = opened();
    world.sign('offline');
    expect(log).toEqual([]);
    world.socket.open();
    world.sign('offline');
    expect(log).toEqual(['opened', 'doubted']);
    expect(socket.state.state).toBe('open');
  });

  it('says whether the device is offline', () => {
    const { world, socket } = opened();
    world.isOnline = false;
    world.socket.end();
    expect(socket.state).toMatchObject({ state: 'waiting', offline: true });
  });

  it('survives what is no message, and a browser that refuses sockets', () => {
    const { world, log, socket } = opened();
    world.socket.open();
    for (const text of ['', 'null', '[]', '{"type":1}', '{', '5']) world.socket.text(text);
    expect(log).toEqual(['opened']);
    world.refusesSockets = true;
    world.socket.end();
    world.pass(250);
    expect(socket.state).toMatchObject({ state: 'waiting', attempt: 2 });
  });

  it('is refused at once where there is no WebSocket, instead of being tried again and again', () => {
    const { platform } = new FakeWorld();
    const openSocket = () => {
      throw new ReferenceError('WebSocket is not defined');
    };
    const create = () => new HostGame({ gameCode: 'ABC234', token: 'qh' }, { base: 'http://h', platform: { ...platform, openSocket } });
    expect(create).toThrow('WebSocket is not defined');
  });

  it('is closed once by a subscriber that closes it with each view after the end', () => {
    const { world, game } = hosting();
    const seen: string[] = [];
    game.subscribe(({ phase, connection }) => {
      seen.push(connection.state);
      if (phase === 'ended') game.close();
    });
    world.socket.deliver({ type: 'game_ended', payload: { leaderboard: [] } });
    world.pass(200);
    expect(seen.filter((state) => state === 'closed').length).toBeLessThan(3);
    expect(game.view.connection).toEqual({ state: 'closed', why: 'left' });
  });

  it('leaves nothing behind when it is closed', () => {
    const { world, socket } = opened();
    world.socket.open();
    socket.close();
    expect(world.socket.closedByClient).toBe(true);
    expect(world.timers).toBe(0);
    socket.reopen();
    expect(world.sockets).toHaveLength(1);
  });

  it('makes addresses', () => {
    expect(socketUrl('https://h/quiz/', 'ABC234', 'a b&c')).toBe('wss://h/quiz/ws/ABC234?token=a%20b%26c');
  });
});
