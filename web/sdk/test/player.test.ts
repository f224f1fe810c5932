import { describe, expect, it } from 'vitest';

import {
  accepted,
  gameEnded,
  gameInfo,
  gameStarted,
  hostStatus,
  appealStatus,
  jokerRound,
  jokerUpdate,
  leaderboard,
  lobby,
  lobbyChanged,
  pong,
  questionClosed,
  questionEdited,
  questionWithdrawn,
  released,
  renamed,
  roundEnded,
  roundStarted,
  running,
  scores,
  standings,
} from './messages.ts';
import { comeBack, play, playing, sent, states, SYNC } from './playing.ts';

describe('the view', () => {
  it('follows a whole game', () => {
    const { world, game } = play();
    const deliver = (...messages: { type: string; payload?: object }[]) => {
      world.socket.deliver(...messages);
      world.pass(0);
      return game.view;
    };
    expect(game.view).toMatchObject({ phase: null, connection: { state: 'connecting', attempt: 0 } });
    world.socket.open();
    expect(world.socket.url).toBe('ws://h/ws/ABC234?token=qp_secret');
    world.socket.deliver(hostStatus(false), gameInfo('Friday'), lobby('Ann', 'Ben'));
    expect(game.view.connection.state).toBe('connecting');
    world.socket.deliver(pong);
    expect(game.view).toMatchObject({ phase: 'lobby', title: 'Friday', hostConnected: false, playerTotal: 2, connection: { state: 'open' } });
    expect(deliver(hostStatus(true)).hostConnected).toBe(true);
    expect(deliver(gameStarted, roundStarted(1))).toMatchObject({ phase: 'question', round: { round: 1 }, questions: [] });
    expect(deliver(released('q1'), released('q2')).questions.map((open) => [open.question.id, open.number])).toEqual([
      ['q1', 1],
      ['q2', 2],
    ]);
    expect(deliver(lobby('Ann', 'Ben', 'Cid'))).toMatchObject({ phase: 'question', playerTotal: 3 });
    game.submit('q1', 'Rome');
    expect(states(deliver(accepted('q1')))).toEqual(['q1 stored Rome', 'q2 none null']);
    expect(deliver(roundEnded)).toMatchObject({ phase: 'round_review' });
    expect(states(game.view)).toEqual(['q1 stored Rome', 'q2 none null']);
    deliver(leaderboard(['Ann', 100, 1, 100], ['Ben', 0, 2, 0]), scores(100, ['q1', 'Rome', true]), running(['Ann', 100, 1]));
    expect(game.view).toMatchObject({ phase: 'leaderboard', outcome: { round: 1, title: 'Round 1', roundTotal: 100 } });
    expect(game.view.board).toEqual([
      { playerId: 'id-Ann', displayName: 'Ann', score: 100, rank: 1, roundScore: 100, previousRank: null },
    ]);
    expect(deliver(roundStarted(2))).toMatchObject({ phase: 'question', round: { round: 2 }, questions: [] });
    deliver(roundEnded, leaderboard(['Ben', 300, 1, 300], ['Ann', 100, 2, 0]));
    expect(game.view.board.map((row) => [row.displayName, row.previousRank])).toEqual([
      ['Ben', null],
      ['Ann', 1],
    ]);
    deliver(scores(0, ['q9', '', false]), gameEnded(['Ben', 300, 1], ['Ann', 100, 2]));
    expect(game.view).toMatchObject({ phase: 'ended', history: [{ round: 1 }, { round: 2 }] });
    expect(game.view.board.map((row) => row.previousRank)).toEqual([null, 1]);
    world.socket.end(1000, 'game_over');
    expect(game.view.connection).toEqual({ state: 'closed', why: 'game_over' });
  });

  it('forgets what state messages have said when the server does not repeat them', () => {
    const { world, game } = play();
    world.socket.open();
    world.socket.deliver(hostStatus(false), roundStarted(1), released('q1'), pong);
    expect(game.view.hostConnected).toBe(false);
    world.socket.end();
    world.pass(20_000);
    world.socket.open('');
    world.socket.deliver(released('q1'));
    world.pass(1_000);
    expect(game.view).toMatchObject({ phase: 'question', hostConnected: null });
  });

  it('plays the joker for the round that takes one, once', () => {
    const { world, game } = play();
    const said = () => world.socket.sent.map(({ type }) => type).filter((type) => type === 'play_joker').length;
    world.socket.open();
    world.socket.deliver(hostStatus(), lobby('Ann'), pong);
    expect([game.playJoker(), said()]).toEqual([false, 0]);
    world.socket.deliver(jokerRound(1));
    world.pass(0);
    expect(game.view).toMatchObject({ jokerRound: 1, joker: null });
    expect([game.playJoker(), said()]).toEqual([true, 1]);
    expect([game.playJoker(), said()]).toEqual([false, 1]);
    world.socket.deliver(jokerUpdate(1));
    world.pass(0);
    expect([game.view.joker, game.playJoker(), said()]).toEqual([1, false, 1]);
    world.socket.deliver(gameStarted, roundStarted(1), jokerRound(), released('q1'));
    world.pass(0);
    expect(game.view).toMatchObject({ jokerRound: null, joker: 1 });
    world.socket.end();
    expect(game.playJoker()).toBe(false);
  });

  it('appeals once about a question, with a connection', () => {
    const { world, game } = play();
    const said = () => world.socket.sent.filter(({ type }) => type === 'appeal').length;
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(1), leaderboard(['Ann', 0, 1]), pong);
    world.pass(0);
    expect([game.view.appeals, game.appeal('q1', ' look '), said()]).toEqual([[], true, 1]);
    expect(world.socket.sent.at(-1)).toEqual({ type: 'appeal', payload: { questionId: 'q1', text: 'look' } });
    world.socket.deliver(appealStatus(['q1', 'open']));
    world.pass(0);
    expect([game.view.appeals, game.appeal('q1'), said()]).toEqual([[{ questionId: 'q1', outcome: 'open' }], false, 1]);
    world.socket.end();
    expect(game.appeal('q2')).toBe(false);
  });

  it('shows other words and names at once, and what was taken out', () => {
    const { world, game } = play();
    const deliver = (...messages: { type: string; payload?: object }[]) => {
      world.socket.deliver(...messages);
      world.pass(0);
      return game.view;
    };
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(1), released('q1'), released('q2'), pong);
    game.submit('q1', 'Rome');
    deliver(accepted('q1'), questionEdited('q1', 'Which city?', true));
    expect(game.view.questions.map(({ question }) => question.text)).toEqual(['Which city?', 'What is q2?']);
    expect([game.view.corrected, states(game.view)[0]]).toEqual([['q1'], 'q1 stored Rome']);
    deliver(questionWithdrawn('q2'), questionClosed('q2'));
    expect([game.view.withdrawn, game.view.questions[1]?.closed]).toEqual([['q2'], true]);
    deliver(renamed('Ann', 'Zoe'));
    expect(game.view.me.displayName).toBe('Zoe');
    deliver(roundEnded, leaderboard(['Zoe', 100, 1, 100]), scores(100, ['q1', 'Rome', true]), questionEdited('q1', 'Which town?', true));
    expect(game.view.outcome?.results[0]?.question).toBe('Which town?');
    deliver(roundStarted(2));
    expect([game.view.corrected, game.view.withdrawn]).toEqual([[], []]);
  });

  it('shows the board with the new name of another player', () => {
    const { world, game } = play();
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(1), leaderboard(['Ann', 0, 1], ['Ben', 0, 1]), pong);
    world.socket.deliver(renamed('Ben', 'Bea'));
    world.pass(0);
    expect([game.view.me.displayName, game.view.board.map(({ displayName }) => displayName)]).toEqual(['Ann', ['Ann', 'Bea']]);
  });

  it('follows a lobby by what changes in it', () => {
    const { game, world } = play();
    world.socket.open();
    world.socket.deliver(hostStatus(), lobby('Ann', 'Ben', 'Cid'), pong);
    const names = () => game.view.players.map((player) => player.displayName);
    world.socket.deliver(lobbyChanged(['Dan', 'Ben'], ['Ann'], 13));
    world.pass(0);
    expect([names(), game.view.playerTotal]).toEqual([['Cid', 'Dan', 'Ben'], 13]);
    world.socket.deliver({ type: 'lobby_changed', payload: { total: 120 } });
    world.pass(0);
    expect([names(), game.view.playerTotal]).toEqual([['Cid', 'Dan', 'Ben'], 120]);
  });

  it('knows how many there are on a board that is cut', () => {
    const { game, world } = playing([]);
    const board = running(['Eve', 300, 1], ['Ann', 10, 41]);
    world.socket.deliver(roundEnded, leaderboard(['Eve', 300, 1]));
    world.pass(0);
    expect(game.view.boardTotal).toBe(1);
    world.socket.deliver({ ...board, payload: { ...board.payload, total: 60 } });
    world.pass(0);
    expect([game.view.boardTotal, game.view.board.length]).toEqual([60, 2]);
  });

  it('knows how many have answered the newest question, until the round ends or the connection is another', () => {
    const { world, game } = playing(['q1']);
    const status = { questionId: 'q1', answered: 17, of: 23 };
    world.socket.deliver({ type: 'answered_status', payload: status });
    world.pass(0);
    expect(game.view.answered).toEqual(status);
    world.socket.end();
    comeBack(world, ...SYNC);
    expect(game.view.answered).toBeNull();
    world.socket.deliver({ type: 'answered_status', payload: status }, roundEnded);
    world.pass(0);
    expect(game.view.answered).toBeNull();
  });

  it('answers a tie-break that asks this player, until it is over', () => {
    const { world, game } = play();
    const said = () => world.socket.sent.filter(({ type }) => type === 'answer_tie_break').length;
    const me = game.view.me.playerId;
    const tied = (playerId: string, answered = false) => ({ playerId, displayName: playerId, answered });
    const asked = { text: '?', players: [tied(me), tied('p9')] };
    const answered = { text: '?', players: [tied(me, true), tied('p9')] };
    const ties = (...tieBreaks: object[]) => ({ type: 'tie_breaks', payload: { tieBreaks } });
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(1), standings(false), pong);
    expect([game.answerTieBreak(5), said()]).toEqual([false, 0]);
    world.socket.deliver(ties({ text: '?', players: [tied('p8'), tied('p9')] }));
    world.pass(0);
    expect(game.answerTieBreak(5)).toBe(false);
    world.socket.deliver(ties(asked));
    world.pass(0);
    expect([game.answerTieBreak(5), said(), game.view.tieAnswer]).toEqual([true, 1, null]);
    world.socket.deliver(ties(answered), { type: 'tie_break_answer', payload: { number: 5 } });
    world.pass(0);
    expect(game.view.tieAnswer).toBe(5);
    world.socket.deliver(ties({ ...answered, number: 5 }));
    world.pass(0);
    expect(game.answerTieBreak(6)).toBe(false);
    world.socket.deliver(ties(asked));
    world.pass(0);
    expect(game.view.tieAnswer, 'another one').toBeNull();
  });

  it('has the own results and no board while the standings are held', () => {
    const { world, game } = play();
    const deliver = (...messages: { type: string; payload?: object }[]) => {
      world.socket.deliver(...messages);
      world.pass(0);
      return game.view;
    };
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(1), leaderboard(['Ann', 100, 1], ['Ben', 0, 2]), pong);
    deliver(roundStarted(2), released('q1'), roundEnded);
    const held = deliver(standings(true), scores(0, ['q1', 'Rome', false]));
    expect(held).toMatchObject({ phase: 'leaderboard', standingsHeld: true, outcome: { round: 2 }, board: [] });
    world.socket.end();
    world.pass(20_000);
    world.socket.open();
    expect(deliver(hostStatus(), roundStarted(2), standings(true), scores(0, ['q1', 'Rome', false]), pong)).toMatchObject({
      phase: 'leaderboard',
      standingsHeld: true,
      board: [],
    });
    const shown = deliver(standings(false), leaderboard(['Ben', 300, 1, 300], ['Ann', 100, 2, 0]), running(['Ben', 300, 1], ['Ann', 100, 2]));
    expect(shown.standingsHeld).toBe(false);
    expect(shown.board.map((row) => [row.displayName, row.previousRank])).toEqual([
      ['Ben', 2],
      ['Ann', 1],
    ]);
    deliver(roundStarted(3), standings(true));
    expect(deliver(gameEnded(['Ben', 300, 1], ['Ann', 100, 2]))).toMatchObject({
      phase: 'ended',
      standingsHeld: false,
      board: [{ rank: 1 }, { rank: 2 }],
    });
  });

  it('is published at once and with every change, in batches', () => {
    const { world, game } = play();
    const seen: (string | null)[] = [];
    const stop = game.subscribe((view) => seen.push(view.phase));
    expect(seen).toEqual([null]);
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), released('q2'));
    world.pass(100);
    expect(seen).toEqual([null, null]);
    world.socket.deliver(pong);
    expect(seen).toEqual([null, null, 'question']);
    world.socket.deliver(released('q3'), released('q4'), roundEnded);
    world.pass(0);
    expect(seen).toEqual([null, null, 'question', 'round_review']);
    stop();
    world.socket.end();
    expect(seen).toHaveLength(4);
  });

  it('keeps showing the old until the new is in', () => {
    const { world, game } = playing(['q1', 'q2']);
    world.socket.end();
    world.pass(20_000);
    world.socket.open();
    expect(game.view).toMatchObject({ connection: { state: 'connecting' }, phase: 'question' });
    expect(game.view.questions).toHaveLength(2);
    world.socket.deliver(hostStatus(), roundStarted());
    world.pass(100);
    expect(game.view.questions).toHaveLength(2);
    world.socket.deliver(roundEnded);
    world.pass(500);
    expect(game.view.questions).toHaveLength(2);
    world.socket.deliver(pong);
    expect(game.view).toMatchObject({ connection: { state: 'open' }, phase: 'round_review' });
  });

  it('knows a round without an open question', () => {
    const { world, game } = play();
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(2));
    world.pass(500);
    expect(game.view.phase).toBe(null);
    world.socket.deliver(pong);
    expect(game.view).toMatchObject({ phase: 'question', round: { round: 2 }, connection: { state: 'open' } });
  });

  it('waits for a slow server with quizhall.v1, and takes the silence of one without for the end', () => {
    const slow = play();
    slow.world.socket.open('quizhall.v1');
    slow.world.pass(5_000);
    expect(slow.game.view.phase).toBe(null);
    const plain = play();
    plain.world.socket.open('');
    plain.world.pass(1_000);
    expect(plain.game.view).toMatchObject({ phase: 'question', connection: { state: 'open' }, hostConnected: null });
    plain.world.socket.deliver(released('q1'), roundEnded, leaderboard(['Ann', 0, 1]), released('q2'));
    plain.world.pass(0);
    expect(states(plain.game.view)).toEqual(['q2 none null']);
  });

  it('ignores messages of a later server', () => {
    const { world, game } = playing(['q1']);
    world.socket.deliver({ type: 'fireworks', payload: { loud: true } }, accepted('unknown'));
    world.pass(0);
    expect(states(game.view)).toEqual(['q1 none null']);
  });

  it('keeps movement and history across a reload', () => {
    const { world, storage } = playing(['q1']);
    const day = [roundEnded, leaderboard(['Ann', 100, 1, 100], ['Ben', 50, 2, 50]), scores(100, ['q1', 'x', true])];
    world.socket.deliver(...day, roundStarted(2), roundEnded, leaderboard(['Ben', 200, 1, 150], ['Ann', 100, 2, 0]));
    world.pass(0);
    const again = play(storage);
    again.world.socket.open();
    again.world.socket.deliver(hostStatus(), roundStarted(2), leaderboard(['Ben', 200, 1, 150], ['Ann', 100, 2, 0]), pong);
    expect(again.game.view.board.map((row) => row.previousRank)).toEqual([2, 1]);
    expect(again.game.view.history).toHaveLength(1);
  });
});

describe('a dead connection', () => {
  it('is noticed by an answer without an ack, shown, and replaced', () => {
    const { world, game } = playing(['q1']);
    game.submit('q1', 'Rome');
    world.pass(7_999);
    expect(world.sockets).toHaveLength(1);
    world.pass(1);
    expect(world.sockets).toHaveLength(2);
    expect(game.view.connection.state).toBe('connecting');
    world.socket.open();
    world.socket.deliver(hostStatus(), roundStarted(), released('q1'), accepted('q1'), pong);
    expect(sent(world)).toEqual(['q1=Rome']);
    world.pass(15_999);
    expect(world.sockets).toHaveLength(2);
    world.pass(1);
    expect(world.sockets).toHaveLength(3);
  });
});

it('leaves no timer behind', () => {
  const { world, game } = playing(['q1']);
  game.submit('q1', 'Rome');
  game.close();
  expect(world.timers).toBe(0);
  expect(game.view.connection).toEqual({ state: 'closed', why: 'left' });
});
