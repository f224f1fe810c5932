// A player on a connection that stalls, breaks and dies silently, against a model of the server, by seed. These must never happen: an
// answer is shown as stored that is not, an older answer wins, an answer is shown as missed that counts, a message is sent after a
// stop, an open question is not shown.

import { describe, expect, it } from 'vitest';

import { PlayerGame } from '../src/player.ts';
import type { PlayerView } from '../src/view.ts';
import { FakeStorage, FakeWorld, randomFrom, times, WAIT } from './fake.ts';
import type { FakeSocket } from './fake.ts';
import { accepted, hostStatus, pong, released, roundEnded, roundStarted } from './messages.ts';

const SEAT = { gameCode: 'ABC234', playerId: 'id-Ann', displayName: 'Ann', sessionToken: 'qp_secret' };
/** 2,000 seeds take a minute. */
const SEEDS = times(50);
/** The time within which a page that only receives, on a dead connection, shows a released question: 25 s, 8 s, and a new connection. */
const HEARD_WITHIN_MS = 35_000;

type Message = { type: string; payload?: object };

interface Line {
  readonly socket: FakeSocket;
  readonly up: FakeSocket['sent'];
  busyUntil: number;
  downUntil: number;
  /** Nothing arrives, and neither side notices. */
  isDead: boolean;
}

/** The server and the network: in order on each connection, with delays; a broken one loses what is still under way. */
class Model {
  readonly stored = new Map<string, string>();
  isOpen = true;
  lossless = false;
  received = 0;
  readonly questions = ['q1', 'q2', 'q3'];
  #line: Line | null = null;
  readonly #world: FakeWorld;
  readonly #random: () => number;

  readonly #protocol: string;

  constructor(world: FakeWorld, random: () => number, protocol: string) {
    this.#world = world;
    this.#protocol = protocol;
    this.#random = random;
    world.onsocket = (socket) => {
      world.platform.setTimer(() => {
        if (!socket.closedByClient) this.#accept(socket);
      }, 20);
    };
  }

  breakLine(): void {
    const line = this.#line;
    if (line === null) return;
    for (const message of this.#stragglers(line)) this.#store(message);
    this.#line = null;
    line.socket.end(this.#random() < 0.5 ? 1006 : 4100);
  }

  /** The server may still get some of the messages under way, but the client does not learn of it. */
  #stragglers(line: Line): Line['up'] {
    return line.isDead ? [] : line.up.slice(0, Math.floor(this.#random() * (line.up.length + 1)));
  }

  /** The connection carries nothing any more. */
  kill(): void {
    if (this.#line !== null) this.#line.isDead = true;
  }

  release(): string {
    const id = `q${String(this.questions.length + 1)}`;
    this.questions.push(id);
    this.#say(released(id));
    return id;
  }

  endRound(): void {
    this.isOpen = false;
    this.#say(roundEnded);
  }

  #accept(socket: FakeSocket): void {
    const before = this.#line;
    const stragglers = before === null ? [] : this.#stragglers(before);
    // The last of them may be about to be stored: the sync messages do not show it yet.
    const last = this.#random() < 0.5 ? stragglers.pop() : undefined;
    for (const message of stragglers) this.#store(message);
    const line: Line = { socket, up: [], busyUntil: 0, downUntil: 0, isDead: false };
    this.#line = line;
    socket.onsent = (message) => {
      this.#arrive(line, message);
    };
    // A message sent while the connection opens is read after the sync messages.
    const early: (() => void)[] = [];
    socket.onping = () => early.push(() => this.#ping(line));
    socket.open(this.#protocol);
    const phase = this.isOpen ? [...this.questions.map(released), ...[...this.stored.keys()].map(accepted)] : [roundEnded];
    if (this.#protocol !== '') phase.unshift(hostStatus(), roundStarted());
    for (const message of phase) this.#say(message);
    if (last !== undefined) this.#store(last);
    for (const read of early) read();
    socket.onping = () => {
      this.#ping(line);
    };
  }

  #ping(line: Line): void {
    line.busyUntil = Math.max(line.busyUntil, this.#world.time) + this.#delay();
    this.#world.platform.setTimer(() => {
      if (this.#line === line && !line.isDead) this.#say(pong);
    }, line.busyUntil - this.#world.time);
  }

  #arrive(line: Line, message: FakeSocket['sent'][number]): void {
    this.received += 1;
    line.up.push(message);
    line.busyUntil = Math.max(line.busyUntil, this.#world.time) + this.#delay();
    this.#world.platform.setTimer(() => {
      if (this.#line !== line || line.isDead) return;
      line.up.shift();
      if (this.#store(message)) this.#say(accepted(String(message.payload?.questionId)));
    }, line.busyUntil - this.#world.time);
  }

  #store(message: FakeSocket['sent'][number]): boolean {
    if (this.isOpen) this.stored.set(String(message.payload?.questionId), String(message.payload?.answer));
    return this.isOpen;
  }

  #say(message: Message): void {
    const line = this.#line;
    if (line === null) return;
    line.downUntil = Math.max(line.downUntil, this.#world.time) + this.#delay();
    this.#world.platform.setTimer(() => {
      if (this.#line === line && !line.isDead) line.socket.deliver(message);
    }, line.downUntil - this.#world.time);
  }

  /** Usually short; sometimes a lost packet delays everything after it. */
  #delay(): number {
    if (this.lossless) return 1;
    const kind = this.#random();
    return kind < 0.7 ? 0 : kind < 0.95 ? 20 : 3_000 * this.#random();
  }
}

function check(view: PlayerView, model: Model, wanted: Map<string, string>, seed: number): void {
  for (const { question, state, answer, storedAnswer, missed, unsure } of view.questions) {
    const stored = model.stored.get(question.id);
    const about = `seed ${String(seed)}: ${question.id}`;
    if (answer !== null) expect(answer, about).toBe(wanted.get(question.id));
    if (state === 'stored' && !missed && !unsure) expect([storedAnswer, stored], about).toEqual([answer, answer]);
    if (missed) expect(stored, about).not.toBe(answer);
    if (missed && storedAnswer !== null) expect(stored, about).toBe(storedAnswer);
  }
}

/** `protocol`: '' is a server without `quizhall.v1`. `whole`: on a connection that holds. */
function play(seed: number, protocol: string, whole: boolean): { sent: number; submitted: number; died: number } {
  const random = randomFrom(seed);
  const storage = new FakeStorage();
  const world = new FakeWorld(storage);
  world.chance = random();
  const model = new Model(world, random, protocol);
  model.lossless = whole;
  const wanted = new Map<string, string>();
  let game = new PlayerGame(SEAT, { base: 'http://h', platform: world.whole });
  const pass = (ms: number) => {
    for (let step = 0; step < 10; step += 1) {
      world.pass(ms / 10);
      check(game.view, model, wanted, seed);
    }
  };
  let [submitted, died] = [0, 0];
  const submit = (to: PlayerGame) => {
    const id = model.questions[Math.floor(random() * model.questions.length)] ?? 'q1';
    const answer = `answer ${String(submitted)}`;
    if (!to.submit(id, answer)) return;
    submitted += 1;
    wanted.set(id, answer);
  };
  const isIdle = () => {
    const { connection, questions } = game.view;
    return connection.state === 'open' && questions.every(({ state }) => state === 'stored' || state === 'none');
  };
  // The connection dies without a sign while the page only receives, and a question is released.
  const die = () => {
    if (protocol === '' || !isIdle()) return;
    died += 1;
    model.kill();
    const id = model.release();
    model.lossless = true;
    pass(HEARD_WITHIN_MS);
    expect(game.view.questions.map(({ question }) => question.id), `seed ${String(seed)}`).toContain(id);
    model.lossless = whole;
  };
  // The page sleeps while another tab plays, and wakes without having noticed.
  const sleep = () => {
    if (!isIdle()) return;
    const asleep = world.socket;
    const tab = new PlayerGame(SEAT, { base: 'http://h', platform: world.whole });
    for (let time = 0; time < 3; time += 1) {
      world.pass(random() * 3_000);
      submit(tab);
    }
    tab.close();
    asleep.end();
  };
  const act = () => {
    const dice = random();
    if (dice < 0.5) submit(game);
    else if (!whole && dice < 0.75) model.breakLine();
    else if (!whole && dice < 0.8) {
      game.close();
      game = new PlayerGame(SEAT, { base: 'http://h', platform: world.whole });
    } else if (!whole && dice < 0.85) world.sign('visible');
    else if (!whole && dice < 0.88) sleep();
    else if (!whole && dice < 0.92) die();
  };
  pass(2_000);
  for (let step = 0; step < 25; step += 1) {
    act();
    pass(random() < 0.5 ? 5 : random() * 4_000);
  }
  if (random() < 0.5) {
    pass(120_000);
    for (const [id, answer] of wanted) expect(model.stored.get(id), `seed ${String(seed)}`).toBe(answer);
    for (const open of game.view.questions.filter((one) => one.answer !== null)) expect(open.state).toBe('stored');
  }
  model.endRound();
  pass(60_000);
  expect(game.view.phase, `seed ${String(seed)}`).toBe('round_review');
  model.breakLine();
  pass(60_000);
  world.socket.end(4411, 'removed');
  const { length } = world.sockets;
  world.sign('online');
  pass(60_000);
  expect(world.sockets).toHaveLength(length);
  return { sent: model.received, submitted, died };
}

function plays(seeds: number, protocol: string, whole: boolean): ReturnType<typeof play> {
  const sum = { sent: 0, submitted: 0, died: 0 };
  for (let seed = 1; seed <= seeds; seed += 1) {
    const done = play(seed, protocol, whole);
    sum.sent += done.sent;
    sum.submitted += done.submitted;
    sum.died += done.died;
  }
  return sum;
}

describe('on a lossy line', { timeout: WAIT }, () => {
  it('nothing is claimed that is not so, the newest answer wins, and a silent death is found out', () => {
    const { sent, submitted, died } = plays(SEEDS, 'quizhall.v1', false);
    expect(submitted).toBeGreaterThan(SEEDS * 5);
    expect(sent).toBeLessThan(1.1 * submitted);
    expect(died).toBeGreaterThan(SEEDS / 4);
  });

  it('all but the silent death holds without quizhall.v1', () => {
    const { sent, submitted } = plays(SEEDS, '', false);
    expect(submitted).toBeGreaterThan(SEEDS * 5);
    expect(sent).toBeLessThan(2 * submitted);
  });

  it.each(['quizhall.v1', ''])('nothing is sent twice while it holds: "%s"', (protocol) => {
    const { sent, submitted } = plays(times(25), protocol, true);
    expect(sent).toBe(submitted);
  });
});
