import type { HostView } from '$sdk';
import { describe, expect, test } from 'vitest';

import { answer, GAME, open, seats, view } from './sample.ts';
import { screenView } from './screenview.ts';

const WISHES = { sound: false, language: 'en' } as const;
const ROUND = { round: 1, rounds: 2, title: 'Cities', questionCount: 3 };

const BOARD: HostView['board'] = [
  { playerId: 'p1', displayName: 'Ann', score: 1000, rank: 1, roundScore: 1000, previousRank: null },
  { playerId: 'p2', displayName: 'Bob', score: 0, rank: 2, roundScore: 0, previousRank: 1 },
];

/** A view of each phase that is as full as can be: whatever the host knows is in it. */
function full(phase: HostView['phase']): HostView {
  return view({
    ...seats('Ann', 'Bob'),
    phase,
    round: ROUND,
    questions: [open('q2', 1, 'p1')],
    review: [answer('p1', 'q2', 'SECRET-ANSWER', true), answer('p2', 'q1', 'SECRET-OTHER', false, true)],
    board: BOARD,
    pending: ['mark_answers:q2'],
    undoable: 2,
  });
}

describe('what the screen never gets', () => {
  test.each(['lobby', 'question', 'round_review', 'leaderboard', 'ended'] as const)('in %s', (phase) => {
    const text = JSON.stringify(screenView(GAME, full(phase), WISHES));
    expect(text, 'a key').not.toContain('KEY-OF');
    expect(text, 'an answer').not.toContain('SECRET');
    expect(text, 'a question to come').not.toMatch(/First\?|Third\?|Fourth\?/);
    expect(text, 'who has answered').not.toContain('answeredBy');
  });

  test('a field that nobody has thought about', () => {
    const view = full('question');
    const extended = {
      ...view,
      secret: 'SECRET',
      questions: view.questions.map((one) => ({ ...one, question: { ...one.question, correctAnswer: 'SECRET' } })),
      room: view.room.map((seat) => ({ ...seat, secret: 'SECRET' })),
      board: view.board.map((row) => ({ ...row, secret: 'SECRET' })),
    };
    for (const phase of ['lobby', 'question', 'leaderboard'] as const) {
      expect(JSON.stringify(screenView(GAME, { ...extended, phase }, WISHES))).not.toContain('SECRET');
    }
  });
});

test('nothing before the phase is known', () => {
  expect(screenView(GAME, view({ phase: null }), WISHES)).toBeNull();
});

test('the lobby shows the names of those who are here, without a round', () => {
  const picture = screenView(GAME, view(seats('Ann', 'xBob', '-Cid')), WISHES);
  expect(picture).toMatchObject({
    phase: 'lobby',
    gameCode: 'ABC234',
    round: null,
    players: [
      { id: 'p1', displayName: 'Ann' },
      { id: 'p3', displayName: 'Cid' },
    ],
    playerTotal: 2,
    connectedTotal: 1,
  });
});

test('a large lobby shows the newest hundred', () => {
  const names = Array.from({ length: 201 }, (_, index) => `N${String(index)}`);
  const players = screenView(GAME, view(seats(...names)), WISHES)?.players;
  expect(players).toHaveLength(100);
  expect(players?.at(-1)?.displayName).toBe('N200');
});

test('an open question stands there with its choices and how many have answered', () => {
  expect(screenView(GAME, full('question'), WISHES)?.questions).toEqual([
    { id: 'q2', number: 1, text: 'Second?', type: 'multiple_choice', choices: ['red', 'blue'], points: 1000, answered: 1 },
  ]);
});

test('closed questions are not shown any more', () => {
  expect(screenView(GAME, full('round_review'), WISHES)?.questions).toEqual([]);
});

test('the board comes with movement, and only when it is up', () => {
  expect(screenView(GAME, full('leaderboard'), WISHES)?.board[1]).toEqual({
    playerId: 'p2',
    displayName: 'Bob',
    score: 0,
    rank: 2,
    roundScore: 0,
    previousRank: 1,
  });
  expect(screenView(GAME, full('question'), WISHES)?.board).toEqual([]);
});

test('the picture can be sent to another window', () => {
  const picture = screenView(GAME, full('leaderboard'), WISHES);
  expect(structuredClone(picture)).toEqual(picture);
});
