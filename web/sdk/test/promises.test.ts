// What can go wrong on a phone during a game: sleeping pages, second tabs, dead connections, floods, clocks that jump. Each of these
// once broke a promise of README.md.

import { describe, expect, it } from 'vitest';

import { Api, SeatStore } from '../src/index.ts';
import { FakeStorage } from './fake.ts';
import { accepted, gameEnded, hostStatus, leaderboard, pong, released, roundEnded, roundStarted, running } from './messages.ts';
import { comeBack, play, playing, SEAT, sent } from './playing.ts';

const KEY = 'quizhall.answers.ABC234.id-Ann';

describe('answers', () => {
  it('of a long time offline go out in portions: a flood would be refused, again and again', () => {
    const ids = Array.from({ length: 25 }, (_, at) => `q${String(at)}`);
    const { world, game } = playing(ids);
    world.socket.end();
    for (const id of ids) game.submit(id, 'x');
    comeBack(world, hostStatus(), roundStarted(), ...ids.map(released));
    expect(sent(world)).toHaveLength(10);
    for (const id of ids) {
      world.socket.deliver(accepted(id));
      world.pass(0);
    }
    expect(sent(world)).toEqual(ids.map((id) => `${id}=x`));
    expect(game.view.questions.every(({ state }) => state === 'stored')).toBe(true);
  });

  it('of another tab are seen when a page that slept comes back, and not written over', () => {
    const storage = new FakeStorage();
    const slept = playing(['q1', 'q2'], [], storage);
    slept.game.submit('q1', 'mine');
    slept.world.socket.deliver(accepted('q1'));
    slept.world.pass(0);
    const other = playing(['q1', 'q2'], ['q1'], storage);
    other.game.submit('q1', 'newer');
    other.world.socket.deliver(accepted('q1'));
    other.world.pass(0);
    other.game.draft('q2', 'half');
    // The page was frozen: it never received 4409.
    slept.world.socket.end(1006);
    slept.game.draft('q2', 'half a word');
    comeBack(slept.world, hostStatus(), roundStarted(), released('q1'), released('q2'), accepted('q1'));
    expect(slept.game.view.questions).toMatchObject([
      { state: 'stored', answer: 'newer', storedAnswer: 'newer' },
      { state: 'none', draft: 'half a word' },
    ]);
    expect(storage.getItem(KEY)).toContain('newer');
  });

  it('stay when a seat is taken back where nothing can be kept', () => {
    const storage = new FakeStorage();
    const { world, game } = playing(['q1', 'q2'], [], storage);
    storage.broken = true;
    game.draft('q1', 'half');
    game.submit('q2', 'Rome');
    world.socket.end(4409, 'replaced');
    game.reopen();
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), released('q2'), pong);
    world.pass(30);
    expect(game.view.questions).toMatchObject([{ draft: 'half' }, { state: 'sending', answer: 'Rome' }]);
    expect(sent(world)).toEqual(['q2=Rome']);
  });

  it('that count are named when a later one comes too late', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'first');
    game.submit('q1', 'second');
    world.socket.deliver(accepted('q1'), roundEnded);
    world.pass(0);
    expect(game.view.questions).toMatchObject([{ state: 'stored', storedAnswer: 'first', answer: 'second', missed: true }]);
  });

  it('that may have been replaced by one that got lost are not named', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'first');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    game.submit('q1', 'second');
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), released('q1'), accepted('q1'));
    game.submit('q1', 'third');
    world.socket.deliver(roundEnded);
    world.pass(0);
    expect(game.view.questions).toMatchObject([{ state: 'stored', storedAnswer: null, answer: 'third', missed: true }]);
  });

  it('that stand behind a refused one are named', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'first');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    game.submit('q1', 'refused');
    world.socket.end(4002, 'invalid_payload: answer');
    comeBack(world, hostStatus(), roundStarted(), released('q1'), accepted('q1'));
    expect(game.view.questions).toMatchObject([{ state: 'stored', storedAnswer: 'first', missed: true }]);
    expect(sent(world)).toEqual([]);
  });

  it('with a space behind them are no other answers', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Paris');
    world.socket.deliver(accepted('q1'));
    world.pass(0);
    game.draft('q1', 'Paris ');
    expect(game.view.questions[0]?.draft).toBe(null);
    game.draft('q1', 'Paris x');
    expect(game.view.questions[0]?.draft).toBe('Paris x');
  });

  it('are not written again once the seat was given up', () => {
    const { game, storage } = playing(['q1']);
    game.submit('q1', 'Rome');
    const seats = new SeatStore(storage);
    seats.save(SEAT);
    seats.forget('ABC234');
    game.close();
    expect(storage.getItem(KEY)).toBe(null);
  });

  it('in a storage that others have written are text or nothing', () => {
    const storage = new FakeStorage();
    const question = { id: 'q1', text: '?', type: 'text', points: 1 };
    storage.setItem(KEY, JSON.stringify({ q1: { question, round: 1, answer: 5, draft: {}, storedAnswer: [], stored: true } }));
    const { game } = playing(['q1'], ['q1'], storage);
    expect(game.view.questions).toMatchObject([{ answer: null, draft: null, storedAnswer: null, state: 'stored' }]);
  });
});

describe('a connection', () => {
  it('that opens and then says nothing is given up for another, and is not called open', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.pass(8_000);
    expect(world.sockets).toHaveLength(2);
    world.socket.open();
    world.pass(1_000);
    expect(game.view.connection).toEqual({ state: 'connecting', attempt: 1 });
    world.pass(16_000);
    expect(world.sockets).toHaveLength(3);
    world.socket.open();
    world.socket.deliver(hostStatus());
    world.pass(33_000);
    expect(world.sockets).toHaveLength(4);
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), accepted('q1'), pong);
    world.pass(30);
    expect(game.view.connection.state).toBe('open');
  });

  it('that is tried again by hand, or renewed, is not a first one', () => {
    const { world, game } = playing(['q1']);
    world.socket.end();
    expect(game.view.connection.state).toBe('waiting');
    game.reopen();
    expect(game.view.connection).toEqual({ state: 'connecting', attempt: 1 });
    const renewed = playing(['q1']);
    renewed.world.pass(16_000);
    renewed.world.sign('visible');
    expect(renewed.game.view.connection.state).toBe('open');
    renewed.world.pass(2_000);
    expect(renewed.game.view.connection).toEqual({ state: 'connecting', attempt: 1 });
  });

  it('that hangs when the page wakes is dialled anew at once, and the hanging one closed', () => {
    const { world, game } = play();
    const hanging = world.socket;
    world.pass(5_000);
    world.sign('visible');
    expect(hanging.closedByClient).toBe(true);
    expect(world.sockets).toHaveLength(2);
    expect(game.view.connection.state).toBe('connecting');
    world.sign('online');
    expect(world.sockets).toHaveLength(2);
  });

  it('whose pause the page has slept through is tried when it wakes', () => {
    const { world } = playing([]);
    world.socket.end(1012, 'service_restart; retry=5-5');
    // The timers slept, but the clock did not.
    world.time += 60_000;
    world.sign('visible');
    expect(world.sockets).toHaveLength(2);
  });

  it('is suspected, too, when the clock was set back', () => {
    const { world } = playing([]);
    world.time -= 3_600_000;
    world.sign('visible');
    expect(world.sockets).toHaveLength(2);
  });
});

describe('the final board of a big game', () => {
  const others = Array.from({ length: 3 }, (_, at): [string, number, number] => [`p${String(at)}`, 900 - at, at + 1]);

  it('has my own row, which the server leaves out, also after a reload', () => {
    const { world, game, storage } = playing([]);
    world.socket.deliver(roundEnded, leaderboard(...others), running(...others, ['Ann', 10, 180]), gameEnded(...others));
    world.pass(0);
    expect(game.view.board.at(-1)).toMatchObject({ playerId: 'id-Ann', displayName: 'Ann', rank: 180, score: 10 });
    for (let reload = 0; reload < 2; reload += 1) {
      const again = play(storage);
      again.world.socket.open();
      again.world.socket.deliver(hostStatus(), gameEnded(...others), pong);
      again.world.pass(30);
      expect(again.game.view.board.at(-1)).toMatchObject({ playerId: 'id-Ann', rank: 180 });
    }
  });

  it('has none when a round was missed', () => {
    const { world, game } = playing([]);
    world.socket.deliver(roundEnded, leaderboard(...others), running(...others, ['Ann', 10, 180]));
    world.socket.end();
    comeBack(world, hostStatus(), gameEnded(['p0', 1_000, 1], ['p1', 899, 2]));
    expect(game.view.board.map((row) => row.displayName)).toEqual(['p0', 'p1']);
  });
});

it('a join whose answer breaks off, or comes from another service, is repeated with the same key', async () => {
  const seat = { sessionToken: 'qp_x', gameCode: 'ABC234', playerId: 'id', displayName: 'Ann' };
  const broken = new ReadableStream({
    start(stream) {
      stream.error(new TypeError('network error'));
    },
  });
  const answers = [new Response(broken, { status: 201 }), new Response('<html>Sign in to the Wi-Fi'), Response.json(seat)];
  const keys: (string | null)[] = [];
  const fetch = (_: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    return Promise.resolve(answers.shift() ?? Response.error());
  };
  expect(await new Api('', { fetch, sleep: () => Promise.resolve() }).join('ABC234', 'Ann', 'key')).toEqual(seat);
  expect(keys).toEqual(['key', 'key', 'key']);
});
