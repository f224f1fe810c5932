import type { AnswerResult, QuestionResults } from '$sdk';
import { expect, test } from 'vitest';

import { fileName, tally } from './tally.ts';

function given(name: string, text: string, correct: boolean, overridden = false): AnswerResult {
  return { playerId: name, displayName: name, answer: text, correct, overridden, points: correct ? 1000 : 0 };
}

const question: QuestionResults = {
  questionId: 'q',
  text: 'Capital of France?',
  type: 'text',
  correctAnswer: 'Paris',
  points: 1000,
  answers: [
    given('Ann', 'Lyon', false),
    given('Bob', 'Paris', true),
    given('Cid', 'Lyon', false),
    given('Dan', '', true, true),
    given('Eva', 'Paris', true),
    given('Flo', 'Paris', false, true),
  ],
};

test('how many were right, of those who could answer', () => {
  expect(tally({ ...question, players: 8 })).toMatchObject({ given: 5, right: 3, of: 8, part: 3 / 8 });
  expect(tally({ ...question, players: 0, answers: [] })).toMatchObject({ right: 0, of: 0, part: 0 });
});

test('equal answers with equal marks lie together, right ones first', () => {
  expect(tally(question).answers).toEqual([
    { text: 'Paris', correct: true, points: 1000, overridden: false, markers: [], names: ['Bob', 'Eva'] },
    { text: '', correct: true, points: 1000, overridden: true, markers: [], names: ['Dan'] },
    { text: 'Lyon', correct: false, points: 0, overridden: false, markers: [], names: ['Ann', 'Cid'] },
    { text: 'Paris', correct: false, points: 0, overridden: true, markers: [], names: ['Flo'] },
  ]);
});

test('who overruled the marking is named with the answer, a co-host once', () => {
  const marked = (name: string, marker?: string): AnswerResult => ({
    ...given(name, 'Pariss', true, true),
    ...(marker !== undefined && { marker }),
  });
  const by = (...answers: AnswerResult[]): object => tally({ ...question, answers }).answers[0] ?? {};
  expect(by(marked('Ann', 'Mia'), marked('Bob', 'Mia'))).toMatchObject({ overridden: false, markers: ['Mia'] });
  expect(by(marked('Ann', 'Mia'), marked('Bob'))).toMatchObject({ overridden: true, markers: ['Mia'] });
  expect(by(marked('Ann'), given('Bob', 'Pariss', true))).toMatchObject({ overridden: true, markers: [] });
});

test('right answers lie together whatever the streak earned them', () => {
  const [ann, bob] = [given('Ann', 'Paris', true), { ...given('Bob', 'Paris', true), points: 1100, streakPoints: 100 }];
  const answers = tally({ ...question, answers: [ann, bob] }).answers;
  expect(answers).toEqual([{ text: 'Paris', correct: true, points: 1000, overridden: false, markers: [], names: ['Ann', 'Bob'] }]);
});

test('partly right answers stand between right and wrong ones, each share by itself', () => {
  const partly = (name: string, points: number): AnswerResult => ({ ...given(name, 'Paris\nLyon', false), points });
  const answers = [given('Ann', 'Rome', false), partly('Bob', 333), partly('Cid', 666), given('Dan', 'Paris', true)];
  expect(tally({ ...question, answers }).answers.map(({ points, correct }) => [points, correct])).toEqual([
    [1000, true],
    [666, false],
    [333, false],
    [0, false],
  ]);
});

test.each([
  ['Pub quiz: “Friday”', 'Pub-quiz-Friday-2026-03-09.csv'],
  ['Ärger & Ölung/..\\x', 'Ärger-Ölung-x-2026-03-09.csv'],
  ['***', '2026-03-09.csv'],
  [`${'Long '.repeat(40)}end`, `${'Long-'.repeat(12)}2026-03-09.csv`],
])('%s is saved as %s', (title, name) => {
  expect(fileName(title, new Date(2026, 2, 9, 12), 'csv')).toBe(name);
});
