import { describe, expect, it } from 'vitest';

import type { HostGame } from '../src/host.ts';
import { host, v1 } from './hosting.ts';
import type { Messages } from './hosting.ts';
import {
  answered,
  count,
  gameEnded,
  gameStarted,
  hostStatus,
  leaderboard,
  lobby,
  marked,
  marking,
  overruled,
  pong,
  released,
  review,
  room,
  roundEnded,
  roundStarted,
} from './messages.ts';

const PEOPLE = room(true, [
  ['Ann', 'connected'],
  ['Ben', 'disconnected'],
]);
const QUESTION: Messages = [hostStatus(), PEOPLE, roundStarted(), released('q1'), count('q1', 0)];
const REVIEW: Messages = [
  hostStatus(),
  PEOPLE,
  roundStarted(),
  roundEnded,
  review([
    ['Ann', 'q1', 'Rome', true],
    ['Ben', 'q1', 'Roma', false],
  ]),
  marking(0),
];
const BOARD: Messages = [hostStatus(), PEOPLE, roundStarted(), leaderboard(['Ann', 100, 1])];
describe('the view', () => {
  it('follows a whole game', () => {
    const { game, deliver } = v1(hostStatus(), PEOPLE, lobby('Ann', 'Ben'));
    expect(game.view).toMatchObject({ phase: 'lobby', playerTotal: 2, locked: false, connection: { state: 'open' } });
    expect(game.view.room.map((player) => player.status)).toEqual(['connected', 'disconnected']);
    deliver(room(false, [['Ben', 'gone'], ['Cid', 'connected']], { total: 2, connected: 2, locked: true }));
    expect(game.view.room.map((player) => player.displayName)).toEqual(['Ann', 'Cid']);
    expect(game.view).toMatchObject({ playerTotal: 2, connectedTotal: 2, locked: true });
    deliver(gameStarted, roundStarted(), released('q1'), answered('q1', 'Ann'), count('q1', 1));
    expect(game.view).toMatchObject({ phase: 'question', questions: [{ number: 1, answerCount: 1 }] });
    expect([...(game.view.questions[0]?.answeredBy ?? [])]).toEqual(['id-Ann']);
    expect(deliver(roundEnded).review).toBe(null);
    expect(deliver(review([['Ann', 'q1', 'Rome', false]], { part: 1, parts: 2 })).review).toBe(null);
    expect(deliver(review([['Cid', 'q1', 'rome', false]], { part: 2, parts: 2 }), marking(0)).review).toHaveLength(2);
    deliver(marked('q1', [['Ann', true], ['Cid', true]]), marking(1), overruled('Ben', 'q1', true), marking(2));
    expect(game.view.review?.map((answer) => [answer.playerId, answer.answer, answer.correct])).toEqual([
      ['id-Ann', 'Rome', true],
      ['id-Cid', 'rome', true],
      ['id-Ben', '', true],
    ]);
    expect(game.view).toMatchObject({ undoable: 2, phase: 'round_review', undone: null });
    expect(deliver(marked('q1', [['Ben', false]]), marking(1)).review).toHaveLength(2);
    expect(game.view.undone).toEqual({ questionId: 'q1', playerIds: ['id-Ben'], groups: [] });
    // A marking disappears together with a removed player; that is no undo.
    const { undone } = game.view;
    expect(deliver(marking(0)).undone).toBe(undone);
    deliver(leaderboard(['Ann', 100, 1], ['Cid', 50, 2]));
    expect(game.view).toMatchObject({ phase: 'leaderboard', board: [{ previousRank: null }, {}] });
    expect(deliver(roundStarted(2))).toMatchObject({ phase: 'question', questions: [], review: null, undoable: 0 });
    deliver(roundEnded, review([]), leaderboard(['Cid', 500, 1], ['Ann', 100, 2]), gameEnded(['Cid', 500, 1], ['Ann', 100, 2]));
    expect(game.view.phase).toBe('ended');
    expect(game.view.board.map((row) => row.previousRank)).toEqual([2, 1]);
  });

  it('has only numbers of a huge game', () => {
    const { game, deliver } = v1(hostStatus(), PEOPLE, lobby('Ann', 'Ben'));
    deliver(room(true, [], { total: 2_001, connected: 1_990 }));
    expect(game.view).toMatchObject({ room: [], playerTotal: 2_001, connectedTotal: 1_990 });
  });

  it('has the lobby of a server without quizhall.v1', () => {
    const { game, deliver } = host('', lobby('Ann', 'Ben'));
    expect(game.view).toMatchObject({ phase: 'lobby', playerTotal: 2, connectedTotal: 2 });
    deliver(gameStarted, released('q1'), lobby('Ann', 'Ben', 'Cid'));
    expect(game.view).toMatchObject({ phase: 'question', playerTotal: 3 });
  });

  it('keeps the questions of a closed round across a loss', () => {
    const { game, deliver, comeBack } = v1(...QUESTION);
    deliver(roundEnded, review([]), marking(0));
    comeBack(...REVIEW);
    expect(game.view.questions.map((open) => open.question.id)).toEqual(['q1']);
    comeBack(hostStatus(), PEOPLE, roundStarted(2));
    expect(game.view).toMatchObject({ phase: 'question', questions: [] });
  });
});

describe('commands', () => {
  it.each<[string, Messages, (game: HostGame) => boolean, string, Messages]>([
    ['start_game', [hostStatus(), PEOPLE, lobby()], (game) => game.startGame(), 'start_game', [gameStarted, roundStarted()]],
    ['release', QUESTION, (game) => game.releaseQuestion('q2'), 'release_question {"questionId":"q2"}', [released('q2')]],
    ['end_round', QUESTION, (game) => game.endRound(), 'end_round', [roundEnded, review([]), marking(0)]],
    [
      'override',
      REVIEW,
      (game) => game.overrideAnswer('id-Ben', 'q1', true),
      'override_answer {"playerId":"id-Ben","questionId":"q1","correct":true}',
      [overruled('Ben', 'q1', true), marking(1)],
    ],
    [
      'mark',
      REVIEW,
      (game) => game.markAnswers('q1', ['Roma'], true),
      'mark_answers {"questionId":"q1","answers":["Roma"],"correct":true}',
      [marked('q1', [['Ben', true]]), marking(1)],
    ],
    ['undo', [...REVIEW, marking(3)], (game) => game.undoMarking(), 'undo_marking', [marked('q1', []), marking(2)]],
    ['undo of nothing', [...REVIEW, marking(3)], (game) => game.undoMarking(), 'undo_marking', [marking(0)]],
    ['scores', REVIEW, (game) => game.releaseScores(), 'release_scores', [leaderboard(['Ann', 0, 1])]],
    ['next', BOARD, (game) => game.startNextRound(), 'start_next_round', [roundStarted(2)]],
    ['end', BOARD, (game) => game.endGame(), 'end_game', [gameEnded(['Ann', 0, 1])]],
    ['lock', QUESTION, (game) => game.lock(true), 'lock_game {"locked":true}', [room(false, [], { locked: true })]],
    [
      'remove',
      QUESTION,
      (game) => game.removePlayer('id-Ben'),
      'remove_player {"playerId":"id-Ben"}',
      [room(false, [['Ben', 'gone']])],
    ],
    ['extra time', QUESTION, (game) => game.setExtraTime('id-Ben', 150), 'set_extra_time {"playerId":"id-Ben","percent":150}', [
      room(false, [], { players: [{ id: 'id-Ben', displayName: 'Ben', status: 'connected', extraTime: 150 }] }),
    ]],
  ])('%s: sent once, pending until confirmed', (_, sync, give, message, confirmation) => {
    const { game, deliver, sent } = v1(...sync);
    expect(give(game)).toBe(true);
    expect(give(game), 'a double click').toBe(false);
    expect(sent()).toEqual([message]);
    expect(game.view.pending).toHaveLength(1);
    expect(message.startsWith(game.view.pending[0]?.split(':')[0] ?? '?')).toBe(true);
    expect(deliver(...confirmation).pending).toEqual([]);
  });

  it.each<[string, Messages, (game: HostGame) => boolean]>([
    ['start_game twice', QUESTION, (game) => game.startGame()],
    ['release of what is released', QUESTION, (game) => game.releaseQuestion('q1')],
    ['release after the round', REVIEW, (game) => game.releaseQuestion('q2')],
    ['end_round in review', REVIEW, (game) => game.endRound()],
    ['override in a round', QUESTION, (game) => game.overrideAnswer('id-Ann', 'q1', true)],
    ['mark in a round', QUESTION, (game) => game.markAnswers('q1', ['x'], true)],
    ['mark of nothing', REVIEW, (game) => game.markAnswers('q1', [], true)],
    ['undo of nothing', REVIEW, (game) => game.undoMarking()],
    ['scores in a round', QUESTION, (game) => game.releaseScores()],
    ['next round in review', REVIEW, (game) => game.startNextRound()],
    ['a round after the last', [hostStatus(), roundStarted(3, 3), leaderboard(['Ann', 0, 1])], (game) => game.startNextRound()],
    ['end in a round', QUESTION, (game) => game.endGame()],
    ['lock of what is locked', [hostStatus(), room(true, [], { locked: true }), lobby()], (game) => game.lock(true)],
    ['removal of an unknown player', QUESTION, (game) => game.removePlayer('id-Zoe')],
    ['lock after the end', [hostStatus(), PEOPLE, gameEnded()], (game) => game.lock(true)],
  ])('that would be refused are not sent: %s', (_, sync, give) => {
    const { game, sent } = v1(...sync);
    expect(give(game)).toBe(false);
    expect(sent()).toEqual([]);
    expect(game.view.pending).toEqual([]);
  });

  it('that need the phase of now are not sent behind one that ends it', () => {
    const { game, sent } = v1(...QUESTION);
    expect(game.endRound()).toBe(true);
    expect(game.releaseQuestion('q2')).toBe(false);
    expect(game.lock(true)).toBe(true);
    expect(sent()).toEqual(['end_round', 'lock_game {"locked":true}']);
  });

  it('are decided on what has arrived, applied or not', () => {
    const { world, game, sent } = v1(...QUESTION);
    world.socket.deliver(roundEnded);
    expect(game.releaseQuestion('q2')).toBe(false);
    expect(sent()).toEqual([]);
  });

  it('may follow each other on the same answer', () => {
    const { game, deliver, sent } = v1(...REVIEW);
    expect([true, false, true].map((correct) => game.overrideAnswer('id-Ben', 'q1', correct))).toEqual([true, true, true]);
    expect(game.overrideAnswer('id-Ben', 'q1', true)).toBe(false);
    expect(sent()).toHaveLength(3);
    expect(deliver(overruled('Ben', 'q1', true), marking(1)).pending).toHaveLength(2);
    deliver(overruled('Ben', 'q1', false), marking(2), overruled('Ben', 'q1', true), marking(3));
    expect(game.view.pending).toEqual([]);
  });

  it('confirm in their order: a mark, then its undo', () => {
    const { game, deliver } = v1(...REVIEW);
    game.markAnswers('q1', ['Roma'], true);
    game.undoMarking();
    expect(deliver(marked('q1', [['Ben', true]]), marking(1)).pending).toEqual(['undo_marking']);
    expect(deliver(marked('q1', [['Ben', false]]), marking(0)).pending).toEqual([]);
  });

  it('give the same mark again behind its undo, confirmed or not', () => {
    const { game, deliver, sent } = v1(...REVIEW);
    game.markAnswers('q1', ['Roma'], true);
    game.undoMarking();
    expect([game.markAnswers('q1', ['Roma'], true), game.markAnswers('q1', ['Roma'], true)]).toEqual([true, false]);
    expect(sent().map((line) => line.split(' ')[0])).toEqual(['mark_answers', 'undo_marking', 'mark_answers']);
    deliver(marked('q1', [['Ben', true]]), marking(1), marked('q1', [['Ben', false]]), marking(0));
    expect(deliver(marked('q1', [['Ben', true]]), marking(1)).pending).toEqual([]);
  });

  it('lock and unlock in one breath are both done with the last word', () => {
    const { game, deliver } = v1(...QUESTION);
    game.lock(true);
    game.lock(false);
    expect(deliver(room(false, [], { locked: false })).pending).toEqual([]);
  });

  it('of marking go in portions that the server takes', () => {
    const { world, game } = v1(...REVIEW);
    const short = Array.from({ length: 2_500 }, (_, at) => `answer ${String(at)}`);
    expect(game.markAnswers('q1', short, true)).toBe(true);
    const portions = world.socket.sent.map(({ payload }) => payload?.answers as string[]);
    expect(portions.map((portion) => portion.length)).toEqual([1_000, 1_000, 500]);
    expect(portions.flat()).toEqual(short);
    game.markAnswers('q1', Array.from({ length: 40 }, (_, at) => `${String(at)}${'é'.repeat(2_000)}`), true);
    const bytes = world.socket.sent.map((message) => Buffer.byteLength(JSON.stringify(message)));
    expect(Math.max(...bytes)).toBeLessThan(64 * 1_024);
    expect(bytes).toHaveLength(3 + 4);
  });

  it('beyond the interface are not sent to a server without quizhall.v1, and the rest works there', () => {
    const { game, sent, deliver } = host('', roundEnded, review([['Ann', 'q1', 'x', false]]));
    expect([game.lock(true), game.undoMarking(), game.markAnswers('q1', ['x'], true)]).toEqual([false, false, false]);
    expect(game.overrideAnswer('id-Ann', 'q1', true)).toBe(true);
    expect(deliver(overruled('Ann', 'q1', true)).pending).toEqual([]);
    game.releaseScores();
    deliver(leaderboard(['Ann', 100, 1]));
    expect(game.startNextRound()).toBe(true);
    expect(game.view).toMatchObject({ phase: 'question', pending: [], questions: [], review: null });
    expect(sent().at(-1)).toBe('start_next_round');
  });
});

describe('after a loss', () => {
  it.each<[string, Messages, (game: HostGame) => boolean, Messages, boolean]>([
    ['start that was not received', [hostStatus(), PEOPLE, lobby()], (game) => game.startGame(), [hostStatus(), PEOPLE, lobby()], true],
    ['start that was received', [hostStatus(), PEOPLE, lobby()], (game) => game.startGame(), QUESTION, false],
    ['release that was not received', QUESTION, (game) => game.releaseQuestion('q2'), QUESTION, true],
    ['release that was received', QUESTION, (game) => game.releaseQuestion('q2'), [...QUESTION, released('q2')], false],
    ['release in a round that is over', QUESTION, (game) => game.releaseQuestion('q2'), REVIEW, false],
    ['end of the round, not received', QUESTION, (game) => game.endRound(), QUESTION, true],
    ['end of another round', QUESTION, (game) => game.endRound(), [hostStatus(), PEOPLE, roundStarted(2)], false],
    ['override, not received', REVIEW, (game) => game.overrideAnswer('id-Ben', 'q1', true), REVIEW, true],
    ['override, received', REVIEW, (game) => game.overrideAnswer('id-Ann', 'q1', true), REVIEW, false],
    ['mark, not received', REVIEW, (game) => game.markAnswers('q1', ['Roma'], true), REVIEW, true],
    ['mark, received', REVIEW, (game) => game.markAnswers('q1', ['Rome'], true), REVIEW, false],
    ['undo, not received', [...REVIEW, marking(2)], (game) => game.undoMarking(), [...REVIEW, marking(2)], true],
    ['undo, received', [...REVIEW, marking(2)], (game) => game.undoMarking(), [...REVIEW, marking(1)], false],
    ['scores, not received', REVIEW, (game) => game.releaseScores(), REVIEW, true],
    ['scores, received', REVIEW, (game) => game.releaseScores(), BOARD, false],
    ['next round, not received', BOARD, (game) => game.startNextRound(), BOARD, true],
    ['next round, received', BOARD, (game) => game.startNextRound(), [hostStatus(), PEOPLE, roundStarted(2)], false],
    ['the end, received', BOARD, (game) => game.endGame(), [hostStatus(), PEOPLE, gameEnded()], false],
    ['lock, not received, a round later', QUESTION, (game) => game.lock(true), [hostStatus(), PEOPLE, roundStarted(2)], true],
    ['removal, received', QUESTION, (game) => game.removePlayer('id-Ben'), [hostStatus(), room(true, [['Ann', 'connected']]), roundStarted()], false],
  ])('%s', (_, sync, give, after, again) => {
    const { game, comeBack, sent } = v1(...sync);
    expect(give(game)).toBe(true);
    comeBack(...after);
    expect(sent()).toHaveLength(again ? 1 : 0);
    expect(game.view.pending).toHaveLength(again ? 1 : 0);
  });

  it('a command given meanwhile goes out, unless it is too old', () => {
    const { world, game, sent } = v1(...QUESTION);
    world.socket.end();
    expect(game.releaseQuestion('q2')).toBe(true);
    world.isOnline = false;
    world.pass(20_000);
    world.socket.open();
    world.socket.deliver(...QUESTION, pong);
    world.pass(100);
    expect(sent()).toEqual(['release_question {"questionId":"q2"}']);
    world.socket.end();
    world.refusesSockets = true;
    world.pass(130_000);
    world.refusesSockets = false;
    game.reopen();
    world.socket.open();
    world.socket.deliver(...QUESTION, pong);
    world.pass(100);
    expect(sent()).toEqual([]);
    expect(game.view.pending).toEqual([]);
  });

  it('of marks both ways the last one holds', () => {
    const { world, game, comeBack, sent } = host('quizhall.v1', ...REVIEW);
    world.socket.end();
    game.markAnswers('q1', ['Roma'], true);
    game.markAnswers('q1', ['Roma'], false);
    comeBack(...REVIEW);
    expect(sent().map((said) => said.slice(-6))).toEqual([':true}', 'false}']);
  });

  it('a refused command is not sent again, the ones behind it are', () => {
    const { world, game, sent } = v1(...QUESTION);
    game.releaseQuestion('strange');
    game.releaseQuestion('q2');
    world.socket.end(4005, 'unknown_question');
    world.pass(20_000);
    world.socket.open();
    world.socket.deliver(...QUESTION, pong);
    world.pass(100);
    expect(sent()).toEqual(['release_question {"questionId":"q2"}']);
  });

  it('that was not noticed, an unconfirmed command finds out', () => {
    const { world, game } = v1(...QUESTION);
    game.endRound();
    world.pass(8_000);
    expect(world.sockets).toHaveLength(2);
    expect(game.view.connection.state).toBe('connecting');
  });
});
