// The changes that are announced to screen readers.
import { describe, expect, it } from 'vitest';

import {
  foundOpen,
  hostLeft,
  newBreak,
  newlyClosed,
  newlyRevealed,
  newlyShared,
  newlyStored,
  newQuestions,
  newStandings,
  newTally,
  newTieBreak,
  stillUnseen,
} from './changes.ts';
import { questionWith, viewWith } from './sample.ts';

const open = (...questions: ReturnType<typeof questionWith>[]) => viewWith({ phase: 'question', questions });

const numbers = (...views: Parameters<typeof newQuestions>) => newQuestions(...views).map(({ number }) => number);

describe('newQuestions', () => {
  it('are those that were not there', () => {
    expect(numbers(open(questionWith(1)), open(questionWith(1), questionWith(2), questionWith(3)))).toEqual([2, 3]);
  });

  it('are the first of a round', () => {
    expect(numbers(viewWith({ phase: 'leaderboard' }), open(questionWith(1)))).toEqual([1]);
    expect(numbers(viewWith(), open(questionWith(1)))).toEqual([1]);
  });

  it('are none when nothing came, after a reload, and outside of a round', () => {
    expect(numbers(open(questionWith(1)), open(questionWith(1)))).toEqual([]);
    expect(numbers(null, open(questionWith(1)))).toEqual([]);
    expect(numbers(viewWith({ phase: null }), open(questionWith(1)))).toEqual([]);
    expect(numbers(open(), viewWith({ phase: 'round_review', questions: [questionWith(1)] }))).toEqual([]);
  });
});

describe('newlyShared', () => {
  const team = { name: 'Larks', code: 'K7QM', deviceId: 'me', devices: [], captain: null, suggests: false };
  const stored = (storedAnswer: string, by: string | null) => {
    return viewWith({ phase: 'question', team, questions: [questionWith(1, { state: 'stored', storedAnswer, by }), questionWith(2)] });
  };
  const none = viewWith({ phase: 'question', team, questions: [questionWith(1), questionWith(2)] });

  it('is what another phone of the team has answered', () => {
    expect(newlyShared(none, stored('Rome', 'ben'))?.number).toBe(1);
    expect(newlyShared(stored('Rome', 'ben'), stored('Oslo', 'cleo'))?.number).toBe(1);
  });

  it('is none for an own answer, after a reload, and without a change', () => {
    expect(newlyShared(none, stored('Rome', null))).toBeNull();
    expect(newlyShared(null, stored('Rome', 'ben'))).toBeNull();
    expect(newlyShared(stored('Rome', 'ben'), stored('Rome', 'ben'))).toBeNull();
    expect(newlyShared(open(), stored('Rome', 'ben'))).toBeNull();
  });
});

describe('newlyStored', () => {
  it('is an answer that was on its way and has arrived', () => {
    const before = open(questionWith(1, { state: 'stored' }), questionWith(2, { state: 'changing' }));
    const now = open(questionWith(1, { state: 'stored' }), questionWith(2, { state: 'stored' }));
    expect(newlyStored(before, now)?.number).toBe(2);
  });

  it('is none while it is on its way, and for what was stored all along', () => {
    const sending = open(questionWith(1, { state: 'sending' }));
    expect(newlyStored(sending, sending)).toBeNull();
    expect(newlyStored(null, open(questionWith(1, { state: 'stored' })))).toBeNull();
  });
});

it('notices once that the host leaves', () => {
  expect(hostLeft(viewWith(), viewWith({ hostConnected: false }))).toBe(true);
  expect(hostLeft(viewWith({ hostConnected: false }), viewWith({ hostConnected: false }))).toBe(false);
  expect(hostLeft(viewWith({ hostConnected: null }), viewWith({ hostConnected: false }))).toBe(false);
  expect(hostLeft(null, viewWith({ hostConnected: false }))).toBe(false);
});

describe('newTally', () => {
  const tally = { questionId: 'q1', entries: [] };

  it('is one that the host has just shown', () => {
    expect(newTally(viewWith(), viewWith({ tally }))).toBe(true);
    expect(newTally(viewWith({ tally: { ...tally, questionId: 'q0' } }), viewWith({ tally }))).toBe(true);
  });

  it('is none when it is counted anew, after a reload, and when it goes', () => {
    expect(newTally(viewWith({ tally }), viewWith({ tally: { ...tally, entries: [{ answer: 'sea', count: 1 }] } }))).toBe(false);
    expect(newTally(null, viewWith({ tally }))).toBe(false);
    expect(newTally(viewWith({ phase: null }), viewWith({ tally }))).toBe(false);
    expect(newTally(viewWith({ tally }), viewWith())).toBe(false);
  });
});

describe('stillUnseen', () => {
  it('forgets what closed, and what went with its round while the phone slept', () => {
    const slept = open(questionWith(1, { closed: true }), questionWith(2));
    expect(stillUnseen(['q1', 'q2', 'of-another-round'], slept)).toEqual(['q2']);
    expect(stillUnseen(['q1'], viewWith({ phase: 'round_review', questions: [questionWith(1)] }))).toEqual([]);
  });
});

describe('foundOpen', () => {
  it('are the open questions that a phone which took over a seat can still answer', () => {
    const stored = questionWith(1, { state: 'stored', answer: '8', storedAnswer: '8' });
    expect(foundOpen(open(stored, questionWith(2, { closed: true }), questionWith(3), questionWith(4)))).toEqual(['q3', 'q4']);
    expect(foundOpen(viewWith({ phase: 'round_review', questions: [questionWith(1)] }))).toEqual([]);
  });
});

describe('what is said between questions', () => {
  it('newlyClosed are the questions whose time has ended, not those of a round that has', () => {
    const [before, now] = [open(questionWith(1), questionWith(2)), open(questionWith(1, { closed: true }), questionWith(2))];
    expect(newlyClosed(before, now).map(({ number }) => number)).toEqual([1]);
    expect([newlyClosed(now, now), newlyClosed(before, viewWith({ phase: 'round_review' }))]).toEqual([[], []]);
  });

  it('newlyRevealed are answers that were not known, or were others', () => {
    const [one, other] = [{ questionId: 'q1', correctAnswer: '8' }, { questionId: 'q1', correctAnswer: '9' }];
    const review = (...revealed: (typeof one)[]) => viewWith({ phase: 'round_review', revealed });
    expect(newlyRevealed(review(), review(one))).toEqual([one]);
    expect(newlyRevealed(review(one), review(other))).toEqual([other]);
    expect([newlyRevealed(review(one), review(one)), newlyRevealed(null, review(one))]).toEqual([[], []]);
  });

  it('newBreak is its beginning and its end', () => {
    const [none, pause] = [viewWith(), viewWith({ pause: { text: '', running: true, leftMs: 1, since: 0 } })];
    expect([newBreak(none, pause), newBreak(pause, none), newBreak(pause, pause), newBreak(null, pause)]).toEqual(['begun', 'over', null, null]);
  });

  it('newStandings is what changes while the view stands', () => {
    const outcome = { round: 1, title: '', results: [], roundTotal: 5 };
    const view = (standingsHeld: boolean, different = {}) => viewWith({ phase: 'leaderboard', standingsHeld, ...different });
    expect(newStandings(view(true), view(true, { outcome }))).toBe('points');
    expect(newStandings(view(false, { outcome }), view(true, { outcome })), 'points first, then the hold').toBe('points');
    expect(newStandings(view(true, { outcome }), view(true, { outcome })), 'said once').toBeNull();
    const board = [{ playerId: 'me', displayName: 'Ann', score: 5, rank: 1, previousRank: null }];
    expect(newStandings(view(false, { outcome }), view(false, { outcome, board }))).toBe('shown');
    expect(newStandings(view(true, { outcome }), view(false, { outcome })), 'before the board is there').toBeNull();
    expect([newStandings(view(false), view(false)), newStandings(viewWith(), view(true, { outcome }))]).toEqual([null, null]);
  });

  it('newTieBreak is one that begins, and one that ends', () => {
    const begun = { text: 'How many?', players: [] };
    const over = { ...begun, number: 88 };
    const view = (...tieBreaks: (typeof begun)[]) => viewWith({ phase: 'leaderboard', tieBreaks });
    expect([newTieBreak(view(), view(begun)), newTieBreak(view(begun), view(over))]).toEqual([begun, over]);
    expect([newTieBreak(view(over), view(over)), newTieBreak(null, view(begun))]).toEqual([null, null]);
  });
});
