// A connection that sends nothing: when the sync messages are complete, and how a page that only receives notices the silence.

import { describe, expect, it } from 'vitest';

import { FakeStorage } from './fake.ts';
import type { FakeWorld } from './fake.ts';
import { accepted, hostStatus, lobby, pong, released, roundStarted } from './messages.ts';
import { comeBack, hosting, lives, play, playing, sent, SYNC, states } from './playing.ts';

/** With middling chance a ping is sent after 22.5 s; `playing` has used 200 ms of them. */
const ASKED_AFTER = 22_300;

/** No timer runs for this long, but the clock does. */
function sleep(world: FakeWorld, ms: number): void {
  world.time += ms;
  world.pass(0);
}

describe('the sync messages', () => {
  it('are in with the pong of a ping that is sent before anything else', () => {
    const { world, game } = playing(['q1', 'q2']);
    world.socket.end();
    game.submit('q1', 'Rome');
    world.pass(20_000);
    let before: number | null = null;
    world.socket.onping = () => (before ??= world.socket.sent.length);
    world.socket.open();
    expect([before, world.socket.pings]).toEqual([0, 1]);
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'));
    world.pass(5_000);
    expect(game.view.questions).toHaveLength(2);
    expect(sent(world)).toEqual([]);
    world.socket.deliver(released('q2'), pong);
    expect(states(game.view)).toEqual(['q1 sending Rome', 'q2 none null']);
    expect(sent(world)).toEqual(['q1=Rome']);
  });

  it('may take their time, but not without a word', () => {
    const { world } = play();
    world.socket.open();
    for (const message of SYNC) {
      world.pass(7_999);
      world.socket.deliver(message);
    }
    world.pass(7_999);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
  });

  it('are known by their quiet, and no ping is sent, without quizhall.v1', () => {
    const { world, game } = play();
    world.socket.open('');
    world.socket.deliver(released('q1'));
    world.pass(29);
    expect(game.view.phase).toBe(null);
    world.pass(1);
    expect(game.view).toMatchObject({ phase: 'question', connection: { state: 'open' } });
    world.pass(600_000);
    expect([world.socket.pings, world.sockets.length, world.timers]).toEqual([0, 1, 0]);
  });
});

describe('a silent line', () => {
  it.each([
    [0, 20_000],
    [0.999, 24_995],
  ])('is asked after 20 to 25 s, by chance: %d', (chance, ms) => {
    const { world } = play();
    world.chance = chance;
    world.socket.open();
    world.socket.deliver(...SYNC, pong);
    world.pass(ms - 1);
    expect(world.socket.pings).toBe(1);
    world.pass(1);
    expect(world.socket.pings).toBe(2);
  });

  it.each([
    [0, 5_000],
    [0.8, 6_000],
  ])('in view is asked after 5 to 6.25 s, by chance: %d, and shown as silent soon after', (chance, ms) => {
    const { world, game } = play();
    world.isVisible = true;
    world.chance = chance;
    world.socket.open();
    world.socket.deliver(...SYNC, pong);
    world.pass(ms - 1);
    expect(world.socket.pings).toBe(1);
    world.pass(1);
    expect(world.socket.pings).toBe(2);
    world.pass(1_749);
    expect(game.view.connection.state).toBe('open');
    world.pass(1);
    expect(game.view.connection.state).toBe('silent');
  });

  it('is asked at once when the page is in view again', () => {
    const { world, game } = playing(['q1']);
    world.pass(10_000);
    world.sign('visible');
    expect(world.socket.pings).toBe(2);
    world.pass(1_750);
    expect(game.view.connection.state).toBe('silent');
  });

  it('that answers stays, and is asked no oftener', () => {
    const { world, game } = playing(['q1']);
    lives(world.socket);
    game.submit('q1', 'Rome');
    world.socket.deliver(accepted('q1'));
    world.pass(600_000);
    expect(world.sockets).toHaveLength(1);
    expect(world.socket.pings).toBe(1 + Math.floor(600_000 / 22_500));
    expect(game.view.connection.state).toBe('open');
  });

  it('is not asked while anything comes, and whatever comes is an answer', () => {
    const { world } = playing(['q1']);
    for (let time = 0; time < 10; time += 1) {
      world.pass(19_000);
      world.socket.deliver(lobby('Ann'));
    }
    expect(world.socket.pings).toBe(1);
    world.pass(22_500);
    expect(world.socket.pings).toBe(2);
    world.socket.deliver(lobby('Ann'));
    world.pass(22_499);
    expect([world.socket.pings, world.sockets.length]).toEqual([2, 1]);
  });

  it('is replaced 8 s after it was asked, without a word, and what was missed is there', () => {
    const { world, game } = playing(['q1']);
    world.pass(ASKED_AFTER + 7_999);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
    expect(game.view.connection.state).toBe('connecting');
    world.socket.open();
    world.socket.deliver(...SYNC, released('q2'), pong);
    expect(game.view.connection.state).toBe('open');
    expect(states(game.view)).toEqual(['q1 none null', 'q2 none null']);
  });

  it('is asked no second time, and given no more time, because an answer is sent meanwhile', () => {
    const { world, game } = playing(['q1']);
    world.pass(ASKED_AFTER + 5_000);
    game.submit('q1', 'Rome');
    expect([world.socket.pings, sent(world)]).toEqual([2, ['q1=Rome']]);
    world.pass(2_999);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
  });

  it('is replaced 8 s after an answer was sent on it', () => {
    const { world, game } = playing(['q1']);
    world.pass(19_000);
    game.submit('q1', 'Rome');
    world.pass(7_999);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
  });

  it('of a host is asked each second, and a ping is no command', () => {
    const { world, game } = hosting();
    lives(world.socket);
    world.pass(10_000);
    expect([world.socket.pings, world.socket.sent, game.view.pending]).toEqual([11, [], []]);
    world.socket.onping = () => undefined;
    world.pass(9_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('that is closed is not asked, and its pings do not wait for the next', () => {
    const { world } = playing(['q1']);
    const old = world.socket;
    world.pass(22_500);
    old.end();
    comeBack(world, ...SYNC);
    expect([old.pings, world.socket.pings]).toEqual([2, 1]);
  });
});

describe('pings', () => {
  it('take nothing of what may be on its way', () => {
    const ids = Array.from({ length: 12 }, (_, at) => `q${String(at)}`);
    const { world, game } = playing(ids);
    lives(world.socket);
    world.pass(60_000);
    for (const id of ids) game.submit(id, 'x');
    expect(sent(world)).toHaveLength(10);
    world.socket.deliver(pong, pong);
    world.pass(0);
    expect(sent(world)).toHaveLength(10);
    world.socket.deliver(accepted('q0'));
    world.pass(0);
    expect(sent(world)).toHaveLength(11);
  });
});

describe('a page that slept', () => {
  it('does not count as silent for the time that it slept', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.pass(1_000);
    sleep(world, 60_000);
    world.pass(1_749);
    expect(game.view.connection.state).toBe('open');
    world.pass(1);
    expect(game.view.connection.state).toBe('silent');
  });

  it('asks when it wakes, and judges after 8 s awake', () => {
    const { world } = playing(['q1']);
    sleep(world, 3_600_000);
    expect([world.socket.pings, world.sockets.length]).toEqual([2, 1]);
    sleep(world, 60_000);
    expect([world.socket.pings, world.sockets.length]).toEqual([3, 1]);
    world.pass(7_999);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
  });

  it('with an answer on its way receives its ack first', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    sleep(world, 60_000);
    expect([world.socket.pings, world.sockets.length]).toEqual([2, 1]);
    world.socket.deliver(accepted('q1'), pong);
    world.pass(20_000);
    expect(world.sockets).toHaveLength(1);
    expect(states(game.view)).toEqual(['q1 stored Rome']);
  });

  it('while the sync messages came has them with the first pong', () => {
    const { world, game } = play();
    world.socket.open();
    sleep(world, 60_000);
    expect([world.socket.pings, world.sockets.length]).toEqual([2, 1]);
    world.socket.deliver(...SYNC, pong, pong);
    world.pass(20_000);
    expect(states(game.view)).toEqual(['q1 none null']);
    expect(world.sockets).toHaveLength(1);
  });

  it('waits another 8 s where there is no ping', () => {
    const { world, game } = play(new FakeStorage());
    world.socket.open('');
    world.socket.deliver(released('q1'));
    world.pass(30);
    game.submit('q1', 'Rome');
    sleep(world, 60_000);
    world.pass(7_999);
    expect([world.socket.pings, world.sockets.length]).toEqual([0, 1]);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
  });
});

it('a line that has never said anything is replaced at once when the player asks for it', () => {
  const { world, game } = play();
  world.socket.open();
  world.pass(3_000);
  expect(game.view.connection.state).toBe('connecting');
  game.reopen();
  expect(world.sockets).toHaveLength(2);
  world.socket.open();
  world.socket.deliver(hostStatus(), lobby('Ann'), pong);
  world.pass(200);
  expect(game.view.connection.state).toBe('open');
});
