// @vitest-environment jsdom
// Tests the sentences for screen readers.
import { expect, it } from 'vitest';

import { announcementOf } from './announcement.ts';
import { questionWith, viewWith } from './sample.ts';

it('says the answer of a tie-break as keys are written, as it may be a year', () => {
  const tie = { text: 'When?', players: [{ playerId: 'me', displayName: 'Ann', answered: true }] };
  const before = viewWith({ phase: 'leaderboard', tieBreaks: [tie] });
  const now = viewWith({ phase: 'leaderboard', tieBreaks: [{ ...tie, number: 1_789 }] });
  expect(announcementOf(before, now)?.sentence).toBe('Tie-break. When? Answer: 1789');
});

it('asks those of a tie-break, and announces to the others that it decides', () => {
  const before = viewWith({ phase: 'leaderboard' });
  const tie = (playerId: string) => ({ text: 'How many keys has a piano?', players: [{ playerId, displayName: 'Ann', answered: false }] });
  const said = (playerId: string) => announcementOf(before, { ...before, tieBreaks: [tie(playerId)] })?.sentence;
  expect(said('me')).toBe('Tie-break. How many keys has a piano? A whole number. The nearest wins the tie.');
  expect(said('another')).toBe('Tie-break.  One more question decides the tie.');
});

it('leaves an answer that is no number to the host', () => {
  const question = { ...questionWith(1).question, type: 'numeric' };
  const before = viewWith({ phase: 'question', questions: [questionWith(1, { question, state: 'sending', answer: '180°' })] });
  const now = viewWith({ phase: 'question', questions: [questionWith(1, { question, state: 'stored', answer: '180°', storedAnswer: '180°' })] });
  expect(announcementOf(before, now)?.sentence).toBe('Question 1: Saved as “180°”. Type digits, or it counts only if your host says so.');
});

it('does not promise that the game continues, as the host may have ended it after this round', () => {
  const outcome = { round: 1, title: '', results: [], roundTotal: 5 };
  const before = viewWith({ phase: 'leaderboard', standingsHeld: true });
  expect(announcementOf(before, { ...before, outcome })?.sentence).toBe('Your points are in. Your host decides what comes next.');
});
