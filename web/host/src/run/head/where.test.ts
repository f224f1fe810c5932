// @vitest-environment jsdom
// Where the game is, in the words of the head's line, while the messages of its beginning arrive.

import { expect, test } from 'vitest';

import type { Hosting } from '../hosting.svelte.ts';
import { whereWords } from './where.ts';

function at(view: object): string {
  const game = { rounds: [{}, {}, {}] };
  return whereWords({ view: { questions: [], ...view }, game, round: 1, rounds: 3, lines: [], isByQuestion: true } as unknown as Hosting);
}

test('a game question by question speaks of no round before its first section is here', () => {
  const lobby = at({ phase: 'lobby' });
  expect(lobby).not.toMatch(/round/i);
  expect(at({ phase: 'question', round: null })).toBe(lobby);
  const section = { index: 0, title: '', questionIndex: 0, questionCount: 3 };
  expect(at({ phase: 'question', round: { section } })).toBe('Question 1 of 3');
  expect(at({ phase: 'ended', round: null })).not.toBe(lobby);
});
