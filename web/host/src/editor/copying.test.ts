import { expect, it } from 'vitest';

import type { QuizBody } from '$sdk/generated/protocol.ts';

import { copiesOf, copyable, withCopies } from './copying.ts';
import { documentOf } from './body.ts';
import type { QuizDocument } from './document.ts';

const id = (text: string) => `0190f2a4-0000-7000-8000-00000000000${text}`;
const question = (text: string, points = 1000) => ({ id: id(text), text, type: 'text', correctAnswers: ['x'], points });
const QUIZ: QuizBody = {
  title: 'A quiz',
  rounds: [
    { title: 'One', questions: [question('a', 500), question('b', 500), question('c', 200)] },
    { title: '', questions: [question('d')] },
  ],
};
const SHEET = documentOf(QUIZ, ['Yes', 'No']);

const keyOf = (document: QuizDocument, text: string): string =>
  document.rounds.flatMap(({ questions }) => questions).find((one) => one.text === text)?.key ?? '';

/** The sheet with a question in a state that occurs while it is written. */
function written(text: string, change: { readonly text?: string; readonly points?: string; readonly answers?: string[] }) {
  const rounds = SHEET.rounds.map((round) => ({
    ...round,
    questions: round.questions.map((one) => (one.text === text ? { ...one, ...change } : one)),
  }));
  return { ...SHEET, rounds };
}

it('copies the chosen questions in their rounds, and no round without one', () => {
  expect(copiesOf(SHEET, new Set([keyOf(SHEET, 'b'), keyOf(SHEET, 'c')]))).toEqual([
    { title: 'One', questions: [question('b', 500), question('c', 200)] },
  ]);
  expect(copiesOf(SHEET, new Set())).toEqual([]);
});

it('keeps what a question is worth in its round when its own points are empty', () => {
  const sheet = written('c', { points: '' });
  expect(copiesOf(sheet, new Set([keyOf(sheet, 'c')]))[0]?.questions[0]?.points).toBe(500);
});

it('offers no question that is blank or unfinished', () => {
  expect(copyable(SHEET).size).toBe(4);
  expect(copyable(written('a', { answers: [''] })).size).toBe(3);
  expect(copyable(written('a', { text: '', answers: [''] })).size).toBe(3);
});

it('puts copies behind the rounds of the other quiz, within its limits', () => {
  const copies = copiesOf(SHEET, new Set([keyOf(SHEET, 'd')]));
  expect(withCopies(QUIZ, copies)).toEqual({ title: 'A quiz', rounds: [...QUIZ.rounds, ...copies] });
  const rounds = Array.from({ length: 50 }, () => ({ title: '', questions: [question('f')] }));
  expect(withCopies({ title: 'Full', rounds }, copies)).toBeNull();
  const many = Array.from({ length: 5 }, () => ({ title: '', questions: Array.from({ length: 100 }, () => question('f')) }));
  expect(withCopies({ title: 'Full', rounds: many }, copies)).toBeNull();
});
