import type { HostView, QuestionResults, ReviewAnswer } from '$sdk';
import { describe, expect, test } from 'vitest';

import { answer, GAME, open, seats, view } from './sample.ts';
import { finalView, screenView as made, type Shown } from './screenview.ts';
import { releasedLines, sheetOf } from './sheet.ts';
import { type Slide, slidesOf } from './wall.ts';

const SETTINGS = { sound: false, language: 'en' } as const;
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

const screenView = (game: typeof GAME, shown: HostView, settings: typeof SETTINGS) => made(game, shown, settings, null);

const RELEASED = releasedLines(sheetOf(GAME, view({ phase: 'question', questions: [open('q2', 1), open('q1', 2)] })));
const result = ({ playerId, displayName, answer: text, correct }: ReviewAnswer) => {
  return { ...{ playerId, displayName, correct }, answer: text, overridden: false, points: 0 };
};
const asked = (questionId: string, ...answers: ReviewAnswer[]): QuestionResults => {
  return { questionId, text: '', type: 'text', correctAnswer: 'KEY-OF-9', points: 0, players: 4, answers: answers.map(result) };
};
const QUESTIONS = [
  asked('q2', answer('p1', 'q2', 'red', true), answer('p2', 'q2', 'blue', false), answer('p3', 'q2', 'red', true)),
  asked('q1', answer('p3', 'q1', 'SECRET-TEXT', false), answer('p4', 'q1', 'SECRET-OTHER', false)),
];

/** What the screen gets with this slide. */
function shows(slide: Slide, more: Partial<Shown> = {}, changes: Partial<HostView> = {}) {
  const shown = { slide, released: RELEASED, questions: QUESTIONS, ...more };
  return made(GAME, { ...full('leaderboard'), ...changes }, SETTINGS, shown)?.show;
}

describe('what the host shows after the scores', () => {
  test('a question with its answer, how many were right of those who could answer, and how the choices were taken', () => {
    expect(shows({ kind: 'question', index: 0 })).toEqual({
      kind: 'question',
      number: 1,
      of: 2,
      text: 'Second?',
      explanation: '',
      answer: 'KEY-OF-2',
      choices: [
        { text: 'red', right: false, taken: 2 },
        { text: 'blue', right: false, taken: 1 },
      ],
      right: { count: 2, of: 4 },
      tally: null,
    });
  });

  test('no answer of any player, no key but the one that is shown, and no standings with it', () => {
    const text = JSON.stringify(made(GAME, full('leaderboard'), SETTINGS, { slide: { kind: 'question', index: 1 }, released: RELEASED, questions: QUESTIONS }));
    expect(text).toContain('KEY-OF-1');
    expect(text).not.toMatch(/KEY-OF-1b|KEY-OF-[234]|SECRET|Ann|Bob/);
  });

  test('the answer without a share while the answers are on their way', () => {
    expect(shows({ kind: 'question', index: 1 }, { questions: null })).toMatchObject({ answer: 'KEY-OF-1', right: null });
  });

  test('all players, in pages of ten', () => {
    const board = Array.from({ length: 23 }, (_, place) => ({ ...BOARD[0], playerId: `p${String(place)}`, displayName: `N${String(place)}`, score: 1, rank: 1, previousRank: null }));
    const page = shows({ kind: 'standings', page: 2 }, {}, { board });
    expect(page).toMatchObject({ page: 3, pages: 3 });
    expect(page?.kind === 'standings' && page.rows.map((row) => row.displayName)).toEqual(['N20', 'N21', 'N22']);
  });

  test('the next round', () => {
    const next = shows({ kind: 'next' }, {}, { round: { ...ROUND, title: '' } });
    expect(next).toEqual({ kind: 'next', number: 2, of: 2, title: '' });
  });
});

describe('the end is shown from below', () => {
  const board = [
    ...[['Ann', 50, 1], ['Bea', 40, 2], ['Cid', 30, 3], ['Dan', 30, 3], ['Eva', 10, 5]] as const,
  ].map(([displayName, score, rank]) => ({ playerId: displayName, displayName, score, rank, previousRank: null }));
  const names = ['Ann', 'Bea', 'Cid', 'Dan', 'Eva'];
  const slides = slidesOf({ questions: 2, board, isLast: true });
  const seen = slides.map((slide) => {
    const text = JSON.stringify(made(GAME, { ...full('leaderboard'), board }, SETTINGS, { slide, released: RELEASED, questions: QUESTIONS }));
    return names.filter((name) => text.includes(`"${name}"`));
  });

  test('each picture has the names that are on it, and no other', () => {
    expect(seen).toEqual([[], [], [], ['Cid', 'Dan'], ['Bea', 'Cid', 'Dan'], ['Ann'], ['Ann', 'Bea', 'Cid', 'Dan'], names]);
  });
});

test('a game that was over before shows its podium, whole, and what the host turns to', () => {
  const shown = (slide: Slide) => finalView(GAME, BOARD, 'en', { slide, released: RELEASED, questions: QUESTIONS });
  expect(shown({ kind: 'podium', seen: 1 })).toMatchObject({ phase: 'ended', show: { kind: 'podium', whole: true, places: [{ rank: 1 }] } });
  expect(shown({ kind: 'question', index: 0 }).show).toMatchObject({ text: 'Second?', right: { count: 2, of: 4 } });
});

test('a picture goes to the screen as a file with its description, and never with its key', () => {
  const media = { name: 'n1', key: 'SECRET-KEY', kind: 'picture', type: 'image/png', bytes: 3, alt: 'A tube' } as const;
  const shown = open('q2', 1);
  const file = new Blob(['png']);
  const seen = view({ phase: 'question', round: ROUND, questions: [{ ...shown, question: { ...shown.question, media } }] });
  const picture = made(GAME, seen, { ...SETTINGS, fileOf: ({ name }) => (name === 'n1' ? file : null) }, null);
  expect(picture?.questions[0]?.media).toEqual({ kind: 'picture', alt: 'A tube', file });
  expect(JSON.stringify(picture)).not.toContain('SECRET');
});

describe('what the screen never gets', () => {
  test.each(['lobby', 'question', 'round_review', 'leaderboard', 'ended'] as const)('in %s', (phase) => {
    const text = JSON.stringify(screenView(GAME, full(phase), SETTINGS));
    expect(text, 'a key').not.toContain('KEY-OF');
    expect(text, 'an answer').not.toContain('SECRET');
    expect(text, 'a question to come').not.toMatch(/First\?|Third\?|Fourth\?/);
    expect(text, 'who has answered').not.toContain('answeredBy');
  });

  test('a field that is in no list', () => {
    const view = full('question');
    const extended = {
      ...view,
      secret: 'SECRET',
      questions: view.questions.map((one) => ({ ...one, question: { ...one.question, correctAnswer: 'SECRET' } })),
      room: view.room.map((seat) => ({ ...seat, secret: 'SECRET' })),
      board: view.board.map((row) => ({ ...row, secret: 'SECRET' })),
    };
    for (const phase of ['lobby', 'question', 'leaderboard'] as const) {
      expect(JSON.stringify(screenView(GAME, { ...extended, phase }, SETTINGS))).not.toContain('SECRET');
    }
  });
});

test('nothing before the phase is known', () => {
  expect(screenView(GAME, view({ phase: null }), SETTINGS)).toBeNull();
});

test('the lobby shows the names of those who are here, without a round', () => {
  const picture = screenView(GAME, view(seats('Ann', 'xBob', '-Cid')), SETTINGS);
  expect(picture).toMatchObject({
    phase: 'lobby',
    gameCode: 'ABC234',
    round: null,
    players: [
      { id: 'p1', displayName: 'Ann' },
      { id: 'p3', displayName: 'Cid' },
    ],
    playerTotal: 2,
  });
});

test('a large lobby shows the newest hundred', () => {
  const names = Array.from({ length: 201 }, (_, index) => `N${String(index)}`);
  const players = screenView(GAME, view(seats(...names)), SETTINGS)?.players;
  expect(players).toHaveLength(100);
  expect(players?.at(-1)?.displayName).toBe('N200');
});

test('an open question stands there with its choices and how many have answered', () => {
  expect(screenView(GAME, full('question'), SETTINGS)?.questions).toEqual([
    {
      ...{ id: 'q2', number: 1, text: 'Second?', type: 'multiple_choice', choices: ['red', 'blue'], points: 1000, answered: 1, of: 2 },
      closed: false,
      timer: null,
    },
  ]);
});

test('a timer runs on by the clock of the device, and has what was left while it is held', () => {
  const timer = { leftMs: 30_000, since: 1_000 };
  const timers = [
    { ...timer, questionId: 'q2', running: true },
    { ...timer, questionId: null, running: false },
  ];
  const picture = screenView(GAME, { ...full('question'), timers }, SETTINGS);
  expect(picture?.questions).toMatchObject([{ timer: { endsAt: 31_000, leftMs: 30_000 } }]);
  expect(picture?.timer).toEqual({ endsAt: null, leftMs: 30_000 });
  expect(screenView(GAME, { ...full('round_review'), timers }, SETTINGS)?.timer).toBeNull();
});

test('closed questions are not shown any more', () => {
  expect(screenView(GAME, full('round_review'), SETTINGS)?.questions).toEqual([]);
});

test('the standings come with movement, and nothing is shown before the scores are out', () => {
  const slide = { kind: 'standings', page: 0 } as const;
  const row = { playerId: 'p2', displayName: 'Bob', score: 0, rank: 2, roundScore: 0, previousRank: 1 };
  expect(shows(slide)).toMatchObject({ rows: [{ displayName: 'Ann' }, row] });
  for (const phase of ['lobby', 'question', 'round_review'] as const) {
    expect(made(GAME, full(phase), SETTINGS, { slide, released: RELEASED, questions: QUESTIONS })?.show).toBeNull();
  }
});

test('the picture can be sent to another window', () => {
  const picture = screenView(GAME, full('leaderboard'), SETTINGS);
  expect(structuredClone(picture)).toEqual(picture);
});

describe('the tally', () => {
  const tally = { questionId: 'q2', entries: [{ answer: 'red', count: 2 }] };
  const tallyOf = (changes: Partial<HostView>) => made(GAME, { ...full('question'), tally, ...changes }, SETTINGS, null)?.tally;

  test('is shown while its question is the newest, and in review', () => {
    const [first] = full('question').questions;
    if (!first) throw new Error('no question is open');
    const own = [{ ...first, question: { ...first.question, id: 'q2' } }];
    const other = [{ ...first, question: { ...first.question, id: 'q1' } }];
    expect(tallyOf({ questions: [...other, ...own] })).toEqual({ text: 'Second?', cloud: false, entries: tally.entries });
    expect(tallyOf({ questions: [...own, ...other] })).toBeNull();
    expect(tallyOf({ phase: 'round_review' })).toMatchObject({ text: 'Second?' });
    expect(tallyOf({ phase: 'leaderboard' })).toBeNull();
    expect(tallyOf({ tally: null })).toBeNull();
  });
});

describe('between two rounds', () => {
  const revealed = (questionId: string): HostView['revealed'][number] => ({ questionId, correctAnswer: 'not looked at' });

  test('the screen gets the answer that was revealed last, and no other', () => {
    const review = { ...full('round_review'), questions: [open('q2', 1, 'p1'), open('q1', 2)] };
    expect(screenView(GAME, review, SETTINGS)?.show).toBeNull();
    const show = screenView(GAME, { ...review, revealed: [revealed('q2')] }, SETTINGS)?.show;
    expect(show).toMatchObject({ kind: 'question', text: 'Second?', answer: 'KEY-OF-2', right: null, of: 2 });
    expect(JSON.stringify(show)).not.toContain('KEY-OF-1');
    expect(screenView(GAME, { ...full('question'), revealed: [revealed('q2')] }, SETTINGS)?.show, 'of a round before').toBeNull();
  });

  test('the screen gets the break with when it is over, and which round follows', () => {
    const pause = { text: 'Drinks', running: true, since: 1_000, leftMs: 60_000 };
    const during = (changes: Partial<HostView>) => screenView(GAME, { ...full('lobby'), pause, ...changes }, SETTINGS)?.pause;
    expect(during({ round: null })).toEqual({
      ...{ timer: { endsAt: 61_000, leftMs: 60_000 }, text: 'Drinks' },
      next: { number: 1, of: 2, title: 'Cities' },
    });
    expect(during({ phase: 'round_review' })?.next).toEqual({ number: 2, of: 2, title: '' });
    expect(during({ phase: 'leaderboard', round: { ...ROUND, round: 2 } })?.next, 'after the last round').toBeNull();
    expect(screenView(GAME, full('lobby'), SETTINGS)?.pause).toBeNull();
  });
});
