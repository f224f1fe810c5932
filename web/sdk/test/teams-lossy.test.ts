// Three phones of a team on connections that stall and break, against a model of the server, by seed. These must never happen: a phone
// by itself replaces an answer of another phone that it has been sent; an acknowledged or a counting answer is shown wrong; the
// phones do not end with one sheet.

import { describe, expect, it } from 'vitest';

import type { TeamSheet } from '../src/generated/protocol.ts';
import { PlayerGame } from '../src/player.ts';
import { FakeStorage, FakeWorld, randomFrom, times, WAIT } from './fake.ts';
import type { FakeSocket } from './fake.ts';
import { accepted, hostStatus, pong, released, roundStarted, teamLine, teamSheet, teamUpdate } from './messages.ts';

/** 6,000 seeds take a minute and a half. */
const SEEDS = times(50);
const PHONES = ['larks', 'ben', 'cleo'];
const QUESTIONS = ['q1', 'q2'];

type Message = { type: string; payload?: object };
type Sent = FakeSocket['sent'][number];

interface Answer {
  readonly text: string;
  readonly by: string;
}

/** A connection to one phone; when it breaks, messages under way are lost, except for a first part of those to the server. */
interface Line {
  readonly socket: FakeSocket;
  up: Sent[];
  upUntil: number;
  downUntil: number;
  /** The lines of the sheet that this phone has been sent. */
  readonly shown: Map<string, Answer>;
}

/** The server: one sheet, and a connection for each phone. */
class Model {
  readonly sheet = new Map<string, Answer>();
  /** Suggestions, by question and phone. */
  readonly suggestions = new Map<string, Answer>();
  /** The answer on the sheet that the player saw when sending this text. */
  readonly meant = new Map<string, string | undefined>();
  readonly lines = new Map<string, Line>();
  /** Whether a player sends now, whatever that phone shows. */
  byHand = false;
  readonly world: FakeWorld;
  readonly #random: () => number;
  readonly #captain: string | undefined;

  constructor(world: FakeWorld, random: () => number, captain: string | undefined) {
    this.world = world;
    this.#random = random;
    this.#captain = captain;
    world.onsocket = (socket) => {
      world.platform.setTimer(() => {
        if (!socket.closedByClient) this.#accept(socket);
      }, 20);
    };
  }

  breakLine(phone: string): void {
    const line = this.lines.get(phone);
    if (line === undefined) return;
    const arrived = line.up.slice(0, Math.floor(this.#random() * (line.up.length + 1)));
    this.lines.delete(phone);
    for (const message of arrived) this.#commit(phone, message);
    line.socket.end();
  }

  #accept(socket: FakeSocket): void {
    const phone = /token=(\w+)/.exec(socket.url)?.[1] ?? '';
    this.breakLine(phone);
    const line: Line = { socket, up: [], upUntil: 0, downUntil: 0, shown: new Map() };
    this.lines.set(phone, line);
    socket.onsent = (message) => {
      this.#sent(phone, line, message);
    };
    const early: (() => void)[] = [];
    const ping = () => {
      this.#later(line, 'up', () => {
        this.#say(phone, pong);
      });
    };
    socket.onping = () => early.push(ping);
    socket.open();
    const sync: Message[] = [hostStatus(), roundStarted(), ...QUESTIONS.map(released), ...[...this.sheet.keys()].map(accepted)];
    for (const message of sync) this.#say(phone, message);
    this.#say(phone, teamUpdate(phone, PHONES, this.#captain));
    if (this.sheet.size + this.suggestions.size > 0) this.#saySheet(phone);
    for (const each of early) each();
    socket.onping = ping;
  }

  #sent(phone: string, line: Line, message: Sent): void {
    const { questionId, answer } = message.payload as { questionId: string; answer: string };
    const known = line.shown.get(questionId);
    const isOver = !this.byHand && message.type === 'submit_answer' && known !== undefined && known.by !== phone;
    if (isOver) expect(known.text, `${phone} sends ${answer} over what it was sent`).toBe(this.meant.get(answer));
    line.up.push(message);
    this.#later(line, 'up', () => {
      line.up.shift();
      this.#commit(phone, message);
    });
  }

  #commit(phone: string, { type, payload }: Sent): void {
    const { questionId, answer } = payload as { questionId: string; answer: string };
    if (type === 'suggest_answer') {
      this.suggestions.delete(`${questionId} ${phone}`);
      this.suggestions.set(`${questionId} ${phone}`, { text: answer, by: phone });
    } else {
      this.sheet.set(questionId, { text: answer, by: phone });
      for (const key of this.suggestions.keys()) if (key.startsWith(questionId)) this.suggestions.delete(key);
      this.#say(phone, accepted(questionId));
    }
    const line: [string, string, string] = [questionId, answer, phone];
    for (const each of PHONES) this.#say(each, type === 'suggest_answer' ? teamLine([], [line]) : teamLine([line]));
  }

  #saySheet(phone: string): void {
    const list = [...this.sheet].map(([id, { text, by }]): [string, string, string] => [id, text, by]);
    const suggested = [...this.suggestions].map(([key, { text, by }]): [string, string, string] => [key.split(' ')[0] ?? '', text, by]);
    this.#say(phone, teamSheet(list, suggested));
  }

  #say(phone: string, message: Message): void {
    const line = this.lines.get(phone);
    if (line === undefined) return;
    this.#later(line, 'down', () => {
      if (message.type === 'team_sheet') {
        for (const { questionId, answer, by } of (message.payload as TeamSheet).answers) line.shown.set(questionId, { text: answer, by });
      }
      line.socket.deliver(message);
    });
  }

  /** In order, mostly at once. */
  #later(line: Line, way: 'up' | 'down', run: () => void): void {
    const kind = this.#random();
    const ms = kind < 0.7 ? 0 : kind < 0.95 ? 20 : 3_000 * this.#random();
    const at = Math.max(line[`${way}Until`], this.world.time) + ms;
    line[`${way}Until`] = at;
    this.world.platform.setTimer(() => {
      if ([...this.lines.values()].includes(line)) run();
    }, at - this.world.time);
  }
}

interface Played {
  readonly model: Model;
  readonly games: Map<string, PlayerGame>;
  readonly submitted: number;
  readonly drafts: number;
}

/** Some minutes of a team, until all connections have been quiet for long. */
function play(seed: number, captain?: string): Played {
  const random = randomFrom(seed);
  const world = new FakeWorld();
  world.chance = random();
  const model = new Model(world, random, captain);
  const storages = new Map(PHONES.map((phone) => [phone, new FakeStorage()]));
  const open = (phone: string) => {
    const seat = { gameCode: 'ABC234', playerId: 'team', displayName: phone, sessionToken: phone };
    return new PlayerGame(seat, { base: 'http://h', platform: { ...world.platform, storage: storages.get(phone) ?? null } });
  };
  const games = new Map(PHONES.map((phone) => [phone, open(phone)]));
  let [submitted, drafts] = [0, 0];
  /** The last answer that counted, on each phone and for each question. */
  const seen = new Map<string, string>();
  const check = () => {
    for (const [phone, game] of games) {
      for (const { question, storedAnswer, state, draft, overtaken, answer, by } of game.view.questions) {
        if (storedAnswer !== null) seen.set(`${phone} ${question.id}`, storedAnswer);
        if (overtaken) expect([draft === null, by === null], `seed ${String(seed)}`).toEqual([false, false]);
        if (state === 'stored' && game.view.team?.suggests === false) expect(answer, `seed ${String(seed)}`).toBe(storedAnswer);
      }
    }
  };
  world.pass(2_000);
  for (let step = 0; step < 40; step += 1) {
    const phone = PHONES[Math.floor(random() * PHONES.length)] ?? '';
    const game = games.get(phone);
    const id = QUESTIONS[Math.floor(random() * QUESTIONS.length)] ?? '';
    const text = `${phone} ${String(step)}`;
    const dice = random();
    if (dice < 0.4) {
      model.meant.set(text, seen.get(`${phone} ${id}`));
      model.byHand = true;
      if (game?.submit(id, text) === true) submitted += 1;
      model.byHand = false;
    } else if (dice < 0.55) game?.draft(id, text);
    else if (dice < 0.8) model.breakLine(phone);
    else if (dice < 0.9) {
      game?.close();
      games.set(phone, open(phone));
    }
    world.pass(random() < 0.5 ? 5 : random() * 4_000);
    check();
    drafts += game?.view.questions.filter(({ overtaken }) => overtaken).length ?? 0;
  }
  world.pass(180_000);
  check();
  return { model, games, submitted, drafts };
}

describe('three phones of a team on lossy lines', { timeout: WAIT }, () => {
  it('end with one sheet, and send over nothing that they were sent', () => {
    let [submitted, drafts] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const played = play(seed);
      submitted += played.submitted;
      drafts += played.drafts;
      for (const [phone, { view }] of played.games) {
        for (const { question, state, storedAnswer, by } of view.questions) {
          const counts = played.model.sheet.get(question.id);
          const other = counts === undefined || counts.by === phone ? null : counts.by;
          const expected = counts === undefined ? ['none', null, null] : ['stored', counts.text, other];
          expect([state, storedAnswer, by], `seed ${String(seed)}: ${phone}, ${question.id}`).toEqual(expected);
        }
      }
    }
    expect(submitted).toBeGreaterThan(SEEDS * 5);
    expect(drafts).toBeGreaterThan(SEEDS / 4);
  });

  it('where the captain answers alone, end with the suggestions that count', () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { model, games } = play(seed, 'larks');
      for (const [phone, { view }] of games) {
        for (const { question, storedAnswer, suggestions } of view.questions) {
          const about = `seed ${String(seed)}: ${phone}, ${question.id}`;
          expect(storedAnswer, about).toBe(model.sheet.get(question.id)?.text ?? null);
          const expected = [...model.suggestions].filter(([key]) => key.startsWith(question.id)).map(([, { text }]) => text);
          expect(suggestions.map(({ answer }) => answer), about).toEqual(expected);
        }
      }
      for (const { by } of model.sheet.values()) expect(by).toBe('larks');
    }
  });
});
