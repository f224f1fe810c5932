// How soon a page notices a dead connection, and the pings that it sends for this.

import { describe, expect, it } from 'vitest';

import { accepted, lobby, released, roundStarted } from './messages.ts';
import { comeBack, hosting, lives, play, playing, sent, SYNC, states } from './playing.ts';

describe('a line that died without a sign counts as silent', () => {
  it('within 3 s of an answer that was sent on it', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.pass(999);
    expect(world.socket.pings).toBe(1);
    world.pass(1);
    expect(world.socket.pings).toBe(2);
    world.pass(1_749);
    expect(game.view.connection.state).toBe('open');
    world.pass(1);
    expect(game.view.connection).toEqual({ state: 'silent', offline: false });
    expect(world.sockets).toHaveLength(1);
  });

  it('within 3 s of a command that was given on it', () => {
    const { world, game } = hosting(roundStarted());
    game.releaseQuestion('q1');
    world.pass(2_999);
    expect(game.view.connection.state).toBe('silent');
  });

  it('to a host who does nothing within 3 s, and to every subscriber', () => {
    const { world, game } = hosting();
    lives(world.socket);
    world.pass(60_000);
    world.socket.onping = () => undefined;
    const seen: string[] = [];
    game.subscribe(({ connection }) => seen.push(connection.state));
    world.pass(2_999);
    expect(seen).toEqual(['open', 'silent']);
  });

  it('within 3 s of a word that is typed', () => {
    const { world, game } = playing(['q1']);
    world.socket.deliver(lobby('Ann'));
    for (const text of ['R', 'Ro', 'Rom']) {
      world.pass(300);
      game.draft('q1', text);
    }
    expect(world.socket.pings).toBe(1);
    world.pass(2_399);
    expect([world.socket.pings, game.view.connection.state]).toEqual([2, 'silent']);
    world.pass(7_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('but not of one that is typed while something comes', () => {
    const { world, game } = playing(['q1']);
    game.draft('q1', 'R');
    world.pass(500);
    world.socket.deliver(lobby('Ann'));
    world.pass(10_000);
    expect([world.socket.pings, game.view.connection.state]).toEqual([1, 'open']);
  });

  it('and is open again with the first word that comes', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.pass(2_750);
    expect(game.view.connection.state).toBe('silent');
    world.socket.deliver(accepted('q1'));
    expect(game.view.connection.state).toBe('open');
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 stored Rome']);
    world.pass(10_000);
    expect([world.socket.pings, world.sockets.length]).toEqual([2, 1]);
  });

  it('and by hand another connection is opened beside it, and not a third at once', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    game.reopen();
    expect(world.sockets, 'a line that is not silent stays').toHaveLength(1);
    world.pass(2_750);
    game.reopen();
    game.reopen();
    expect(world.sockets).toHaveLength(2);
    expect(game.view.connection).toEqual({ state: 'connecting', attempt: 1 });
    world.pass(1_000);
    game.reopen();
    expect(world.sockets).toHaveLength(3);
    comeBack(world, ...SYNC);
    expect(game.view.connection.state).toBe('open');
    expect(sent(world)).toEqual(['q1=Rome']);
  });
});

describe('a server that is slow to answer', () => {
  it('and is alive is asked each second, and does not count as silent', () => {
    const { world, game } = playing(['q1']);
    lives(world.socket);
    const seen = new Set<string>();
    game.subscribe(({ connection }) => seen.add(connection.state));
    game.submit('q1', 'Rome');
    world.pass(7_000);
    expect(world.socket.pings).toBe(1 + 7);
    world.socket.deliver(accepted('q1'));
    world.pass(19_000);
    expect(world.socket.pings).toBe(1 + 7);
    expect([...seen]).toEqual(['open']);
  });

  it('for 8 s is replaced, however often it says that it is alive', () => {
    const { world, game } = playing(['q1']);
    lives(world.socket);
    game.submit('q1', 'Rome');
    world.pass(8_000);
    expect(world.sockets).toHaveLength(2);
  });

  it('and cannot be asked is not judged so soon', () => {
    const { world, game } = play();
    world.socket.open('');
    world.socket.deliver(released('q1'));
    world.pass(30);
    game.submit('q1', 'Rome');
    world.pass(7_999);
    expect(game.view.connection.state).toBe('open');
  });
});

describe('a device that says that it is offline', () => {
  it('is believed at once', () => {
    const { world, game } = playing(['q1']);
    world.sign('offline');
    expect(game.view.connection).toEqual({ state: 'silent', offline: true });
    world.socket.end();
    expect(game.view.connection).toMatchObject({ state: 'waiting', offline: true });
    world.sign('online');
    expect(game.view.connection).not.toHaveProperty('offline', true);
  });

  it('is believed while it waits for the next attempt', () => {
    const { world, game } = playing(['q1']);
    world.socket.end(1012, 'service_restart; retry=5-5');
    expect(game.view.connection).toMatchObject({ state: 'waiting', offline: false });
    world.sign('offline');
    expect(game.view.connection).toMatchObject({ state: 'waiting', offline: true });
  });

  it('is refuted by whatever comes, as from a server on the same machine', () => {
    const { world, game } = playing(['q1']);
    lives(world.socket);
    const seen: string[] = [];
    game.subscribe(({ connection }) => seen.push(connection.state));
    world.sign('offline');
    expect(seen.at(-1)).toBe('open');
    world.pass(60_000);
    expect(new Set(seen.slice(2))).toEqual(new Set(['open']));
  });
});
