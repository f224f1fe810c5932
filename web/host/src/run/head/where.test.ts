// @vitest-environment jsdom
// Where the game is, in the words of the head's line, while the messages of its beginning arrive.

import { expect, test } from 'vitest';

import type { Hosting } from '../hosting.svelte.ts';
import { phaseWords, whereWords } from './where.ts';

function hosting(view: object): Hosting {
  const game = { rounds: [{}, {}, {}] };
  return { view: { questions: [], ...view }, game, round: 1, rounds: 3, lines: [], isByQuestion: true } as unknown as Hosting;
}

const at = (view: object): string => whereWords(hosting(view));

test('a game question by question speaks of no round before its first section is here', () => {
  const lobby = at({ phase: 'lobby' });
  expect(lobby).not.toMatch(/round/i);
  expect(at({ phase: 'question', round: null })).toBe(lobby);
  const section = { index: 0, title: '', questionIndex: 0, questionCount: 3 };
  expect(at({ phase: 'question', round: { section } })).toBe('Question 1 of 3');
  expect(at({ phase: 'question', round: { section: { index: 0, title: 'Science', questionIndex: 1, questionCount: 2 } } })).toBe('Science · question 2 of 2');
  expect(at({ phase: 'question', round: { section: { index: 1, title: '', questionIndex: 0, questionCount: 1 } } })).toBe('Round 2 · question 1 of 1');
  expect(at({ phase: 'ended', round: null })).not.toBe(lobby);
});

test('of a game question by question nothing is said before its first section is here', () => {
  expect(phaseWords(hosting({ phase: 'question', round: null }))).toBe('');
  const section = { index: 0, title: '', questionIndex: 0, questionCount: 1 };
  expect(phaseWords(hosting({ phase: 'question', round: { section } }))).toBe('Round 1, question 1 of 1');
});
