import type { QuestionResults, Quiz } from '$sdk';
import { expect, it } from 'vitest';

import { knowing } from './known.ts';

const QUIZ: Quiz = {
  ...{ id: 'q', title: 'T', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-02T00:00:00Z' },
  rounds: [
    {
      title: '',
      questions: [
        { id: 'a', text: 'a?', type: 'multiple_choice', choices: ['1', '2', '3'], correctAnswers: ['1', '2'] },
        { id: 'b', text: 'b?', type: 'numeric', correctAnswers: ['4'], tolerance: 1 },
      ],
    },
  ],
};
const LATER = '2026-02-01T00:00:00Z';
const asked = (questionId: string, correctAnswer: string, given: readonly string[] = []): QuestionResults => ({
  ...{ questionId, text: 'a?', type: 'multiple_choice', correctAnswer, points: 1 },
  answers: given.map((answer) => ({ playerId: 'p', displayName: 'P', answer, correct: false, overridden: false, points: 0 })),
});

it('all right answers of a quiz that has not changed since', () => {
  const known = knowing(QUIZ, LATER);
  expect(known(asked('a', '1', ['3']))).toEqual({ keys: ['1', '2'], choices: ['1', '2', '3'], tolerance: 0 });
  expect(known(asked('b', '4'))).toMatchObject({ keys: ['4'], tolerance: 1 });
});

it('only what the results say when the quiz has changed, or was deleted, or the game had another key', () => {
  const bare = { keys: ['1'], choices: [], tolerance: 0 };
  expect(knowing(QUIZ, '2026-01-01T12:00:00Z')(asked('a', '1'))).toEqual(bare);
  expect(knowing(null, LATER)(asked('a', '1'))).toEqual(bare);
  expect(knowing(QUIZ, LATER)(asked('a', '3'))).toMatchObject({ keys: ['3'] });
  expect(knowing(QUIZ, LATER)(asked('a', '1', ['another choice']))).toMatchObject({ choices: [] });
});
