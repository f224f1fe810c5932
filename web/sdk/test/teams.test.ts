import { describe, expect, it } from 'vitest';

import { PlayerGame } from '../src/player.ts';
import { FakeStorage, FakeWorld } from './fake.ts';
import { accepted, hostStatus, pong, questionClosed, released, roundEnded, roundStarted, teamLine, teamSheet, teamUpdate, timerUpdate } from './messages.ts';
import { comeBack, play, sent, states } from './playing.ts';

const PHONES = ['larks', 'ben', 'cleo'];
const SYNC = [hostStatus(), roundStarted(), released('q1'), released('q2')];
type Message = { type: string; payload?: object };

/** A phone of a team with two questions open. `ben` is this phone. */
function inTeam(sync: Message[] = [], captain?: string, storage = new FakeStorage()) {
  const start = play(storage);
  const team = teamUpdate('ben', PHONES, captain);
  const { world, game } = start;
  const deliver = (...messages: Message[]) => {
    world.socket.deliver(...messages);
    world.pass(0);
    return game.view;
  };
  const first = (view = game.view) => view.questions[0];
  world.socket.open();
  world.socket.deliver(...SYNC, team, ...sync, pong);
  world.pass(200);
  return { ...start, team, deliver, first };
}

const kinds = (world: ReturnType<typeof play>['world']) => world.socket.sent.map(({ type }) => type);

describe('a team', () => {
  it('has the name of its first phone, and its phones', () => {
    const { game, deliver } = inTeam();
    expect(game.view).toMatchObject({ me: { displayName: 'larks' }, team: { code: 'K7QM', deviceId: 'ben', captain: null, suggests: false } });
    expect(game.view.team?.devices.map(({ displayName }) => displayName)).toEqual(PHONES);
    expect(deliver(teamUpdate('ben', ['larks', 'ben'])).team?.devices).toHaveLength(2);
  });

  it('has its name from the final board, too, of which nothing more is sent', () => {
    const board = { leaderboard: [{ playerId: 'id-Ann', displayName: 'larks', score: 1, rank: 1 }] };
    const seat = { gameCode: 'ABC234', playerId: 'id-Ann', displayName: 'ben', sessionToken: 'qp_secret' };
    const world = new FakeWorld();
    const game = new PlayerGame(seat, { base: 'http://h', platform: world.whole });
    world.socket.open();
    world.socket.deliver(hostStatus(), { type: 'game_ended', payload: board }, pong);
    world.pass(0);
    expect(game.view.me.displayName).toBe('larks');
  });

  it('is none without the message', () => {
    const { world, game } = play();
    world.socket.open();
    world.socket.deliver(...SYNC, pong);
    world.pass(0);
    expect(game.view).toMatchObject({ team: null, me: { displayName: 'Ann' } });
  });

  it('answers on one sheet: what another phone gave stands here', () => {
    const { first, deliver } = inTeam();
    deliver(teamSheet([['q1', 'Trombone', 'cleo']]));
    expect(first()).toMatchObject({ state: 'stored', answer: 'Trombone', storedAnswer: 'Trombone', by: 'cleo', overtaken: false });
    deliver(teamSheet([['q1', 'Tuba', 'larks']]));
    expect(first()).toMatchObject({ storedAnswer: 'Tuba', by: 'larks' });
  });

  it('has one line after the other, and keeps the rest of the sheet', () => {
    const { game, deliver } = inTeam([accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']])]);
    deliver(teamLine([['q2', 'Rome', 'larks']]));
    expect(states(game.view)).toEqual(['q1 stored Trombone', 'q2 stored Rome']);
    deliver(teamLine([['q1', 'Tuba', 'ben']]), teamLine([['q1', 'Horn', 'larks']]));
    expect(states(game.view)).toEqual(['q1 stored Horn', 'q2 stored Rome']);
    deliver(roundEnded);
    expect(game.view.questions).toMatchObject([{ storedAnswer: 'Horn', by: 'larks' }, { storedAnswer: 'Rome', by: 'larks' }]);
  });

  it('can change it here, and the newest counts', () => {
    const { world, game, first, deliver } = inTeam([accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']])]);
    expect(first()).toMatchObject({ state: 'stored', answer: 'Trombone', by: 'cleo' });
    game.submit('q1', 'Tuba');
    expect(sent(world)).toEqual(['q1=Tuba']);
    expect(first()).toMatchObject({ state: 'changing', answer: 'Tuba', storedAnswer: 'Trombone', by: 'cleo' });
    game.submit('q1', 'Horn');
    deliver(accepted('q1'));
    expect(first()).toMatchObject({ state: 'changing', answer: 'Horn', storedAnswer: 'Tuba', by: null });
    deliver(teamSheet([['q1', 'Tuba', 'ben']]), accepted('q1'));
    expect(first()).toMatchObject({ state: 'stored', answer: 'Horn', storedAnswer: 'Horn', by: null });
    deliver(teamSheet([['q1', 'Horn', 'ben']]));
    expect(first()).toMatchObject({ state: 'stored', answer: 'Horn', storedAnswer: 'Horn', by: null });
    deliver(teamSheet([['q1', 'Bugle', 'cleo']]));
    expect(first()).toMatchObject({ state: 'stored', answer: 'Bugle', by: 'cleo' });
  });

  it('keeps a draft beside an answer that another phone gave meanwhile', () => {
    const { game, first, deliver } = inTeam();
    game.draft('q1', 'Tub');
    deliver(teamSheet([['q1', 'Trombone', 'cleo']]));
    expect(first()).toMatchObject({ state: 'stored', answer: 'Trombone', draft: 'Tub', overtaken: true });
    game.draft('q1', 'Tuba');
    expect(first()).toMatchObject({ draft: 'Tuba', overtaken: true });
    game.submit('q1', 'Tuba');
    expect(first()).toMatchObject({ state: 'changing', draft: null, overtaken: false });
  });

  it('knows a draft that was begun behind the answer from one that was begun before', () => {
    const { game, first, deliver } = inTeam([accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']])]);
    game.draft('q1', 'Trombones');
    expect(first()).toMatchObject({ draft: 'Trombones', overtaken: false });
    deliver(teamSheet([['q1', 'Tuba', 'cleo']]));
    expect(first()).toMatchObject({ draft: 'Trombones', overtaken: true });
    game.draft('q1', 'Tuba');
    expect(first()).toMatchObject({ draft: null, overtaken: false });
  });

  it('still knows it after a reload', () => {
    const storage = new FakeStorage();
    inTeam([], undefined, storage).game.draft('q1', 'Tub');
    const { first } = inTeam([accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']])], undefined, storage);
    expect(first()).toMatchObject({ draft: 'Tub', answer: 'Trombone', overtaken: true });
  });

  it('sends what was typed when time runs out, but not over the answer of another phone', () => {
    const { world, game, deliver } = inTeam();
    deliver(timerUpdate('q1', 5_000), timerUpdate('q2', 5_000));
    game.draft('q1', 'Tub');
    game.draft('q2', 'Rome');
    deliver(teamSheet([['q1', 'Trombone', 'cleo']]));
    world.pass(5_000);
    expect(sent(world)).toEqual(['q2=Rome']);
  });

  it('does not send over an answer that another phone gave while this one was away', () => {
    const { world, game, first, team } = inTeam();
    world.socket.end();
    game.submit('q1', 'Tuba');
    game.submit('q2', 'Rome');
    comeBack(world, ...SYNC, team, accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']]));
    expect(sent(world)).toEqual(['q2=Rome']);
    expect(first()).toMatchObject({ state: 'stored', answer: 'Trombone', by: 'cleo', draft: 'Tuba', overtaken: true });
  });

  it('sends what was meant to replace the answer of another phone', () => {
    const sync = [accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']])];
    const { world, game, team } = inTeam(sync);
    world.socket.end();
    game.submit('q1', 'Tuba');
    comeBack(world, ...SYNC, team, ...sync);
    expect(sent(world)).toEqual(['q1=Tuba']);
  });

  it('does not send again what the sheet has', () => {
    const { world, game, first, team } = inTeam();
    game.submit('q1', 'Tuba');
    world.socket.end();
    comeBack(world, ...SYNC, team, accepted('q1'), teamSheet([['q1', 'Tuba', 'ben']]));
    expect(sent(world)).toEqual([]);
    expect(first()).toMatchObject({ state: 'stored', answer: 'Tuba', by: null });
  });

  it('learns from the sheet what counts when the round ended while it was away', () => {
    const { world, game, team } = inTeam();
    game.submit('q1', 'Tuba');
    game.submit('q2', 'Rome');
    world.socket.end();
    comeBack(world, hostStatus(), roundStarted(), roundEnded, team, teamSheet([['q1', 'Tuba', 'ben'], ['q2', 'Bern', 'cleo']]));
    expect(game.view.questions).toMatchObject([
      { state: 'stored', storedAnswer: 'Tuba', unsure: false, missed: false },
      { state: 'stored', storedAnswer: 'Bern', by: 'cleo', missed: true },
    ]);
  });

  it('begins each round with an empty sheet', () => {
    const { game, deliver } = inTeam([accepted('q1'), teamSheet([['q1', 'Trombone', 'cleo']])]);
    deliver(roundEnded, roundStarted(2), released('q3'));
    expect(states(game.view)).toEqual(['q3 none null']);
    deliver(teamSheet([['q3', 'Oslo', 'larks']]));
    expect(states(game.view)).toEqual(['q3 stored Oslo']);
  });

  it('has the answer of this phone again where the device kept nothing', () => {
    const { first } = inTeam([accepted('q1'), teamSheet([['q1', 'Tuba', 'ben']])]);
    expect(first()).toMatchObject({ state: 'stored', answer: 'Tuba', storedAnswer: 'Tuba', by: null });
  });
});

describe('where the captain answers alone', () => {
  it('the others suggest, and the captain takes one over', () => {
    const ben = inTeam([], 'larks');
    expect(ben.game.view.team).toMatchObject({ captain: 'larks', suggests: true });
    ben.game.draft('q1', 'Tuba');
    expect(ben.game.submit('q1', 'Tuba')).toBe(true);
    expect([kinds(ben.world), sent(ben.world)]).toEqual([['suggest_answer'], ['q1=Tuba']]);
    expect(ben.first()).toMatchObject({ state: 'none', answer: 'Tuba', draft: null, suggestions: [] });
    ben.deliver(teamSheet([], [['q1', 'Tuba', 'ben']]));
    expect(ben.first()).toMatchObject({ state: 'none', answer: 'Tuba', draft: null, suggestions: [{ answer: 'Tuba', by: 'ben' }] });
    ben.deliver(teamSheet([['q1', 'Tuba', 'larks']]));
    expect(ben.first()).toMatchObject({ state: 'stored', storedAnswer: 'Tuba', by: 'larks', answer: null, draft: null, suggestions: [] });
  });

  it('the captain has the suggestions, and answers', () => {
    const { world, game, first, deliver } = inTeam([], 'ben');
    expect(game.view.team?.suggests).toBe(false);
    deliver(teamSheet([], [['q1', 'Tuba', 'cleo']]));
    expect(first()).toMatchObject({ state: 'none', answer: null, suggestions: [{ answer: 'Tuba', by: 'cleo' }] });
    game.submit('q1', 'Tuba');
    expect(kinds(world)).toEqual(['submit_answer']);
  });

  it('a newer suggestion of a phone takes the place of its older one, and an answer that of all to its question', () => {
    const { game, first, deliver } = inTeam([], 'ben');
    const texts = () => game.view.questions.map(({ suggestions = [] }) => suggestions.map(({ answer }) => answer));
    const suggested: [string, string, string][] = [['q1', 'Tuba', 'cleo'], ['q1', 'Horn', 'larks'], ['q2', 'Rome', 'cleo'], ['q1', 'Oboe', 'cleo']];
    for (const line of suggested) deliver(teamLine([], [line]));
    expect(texts()).toEqual([['Horn', 'Oboe'], ['Rome']]);
    deliver(teamLine([], [['q1', 'Horn', 'larks']]));
    expect(texts(), 'what is confirmed keeps its place').toEqual([['Horn', 'Oboe'], ['Rome']]);
    deliver(teamLine([['q1', 'Oboe', 'ben']]));
    expect(texts()).toEqual([[], ['Rome']]);
    expect(first()).toMatchObject({ state: 'stored', answer: 'Oboe' });
  });

  it('a suggestion that got lost is sent again, and one that arrived is not', () => {
    const { world, game, first, team } = inTeam([], 'larks');
    game.submit('q1', 'Tuba');
    game.submit('q2', 'Rome');
    world.socket.end();
    comeBack(world, ...SYNC, team, teamSheet([], [['q1', 'Tuba', 'ben']]));
    expect(sent(world)).toEqual(['q2=Rome']);
    expect(first()).toMatchObject({ answer: 'Tuba', draft: null });
  });

  it('a suggestion is not sent behind the answer of the captain, and stays a draft', () => {
    const { world, game, first, team } = inTeam([], 'larks');
    world.socket.end();
    game.submit('q1', 'Tuba');
    comeBack(world, ...SYNC, team, accepted('q1'), teamSheet([['q1', 'Trombone', 'larks']]));
    expect(sent(world)).toEqual([]);
    expect(first()).toMatchObject({ state: 'stored', storedAnswer: 'Trombone', answer: null, draft: 'Tuba' });
  });

  it('a suggestion that came too late asks no connection for an answer', () => {
    const { world, game, deliver } = inTeam([], 'larks');
    game.submit('q1', 'Tuba');
    deliver(questionClosed('q1'));
    const { length } = world.sockets;
    world.socket.onping = () => {
      world.socket.deliver(pong);
    };
    world.pass(120_000);
    expect(world.sockets).toHaveLength(length);
  });

  it('one that the server refuses is given up', () => {
    const { world, game, team } = inTeam([], 'larks');
    game.submit('q1', 'Tuba');
    world.socket.end(4003, 'wrong_phase');
    comeBack(world, ...SYNC, team);
    expect(sent(world)).toEqual([]);
    expect(game.view.questions[0]).toMatchObject({ answer: null, draft: 'Tuba' });
  });

  it('a suggestion is at most 200 characters', () => {
    const { world, game } = inTeam([], 'larks');
    expect(game.submit('q1', 'x'.repeat(201))).toBe(false);
    expect(game.submit('q1', 'x'.repeat(200))).toBe(true);
    expect(sent(world)).toHaveLength(1);
  });

  it('what is typed is not suggested when time runs out', () => {
    const { world, game, deliver } = inTeam([], 'larks');
    deliver(timerUpdate('q1', 5_000));
    game.draft('q1', 'Tub');
    world.pass(6_000);
    expect(sent(world)).toEqual([]);
  });
});
