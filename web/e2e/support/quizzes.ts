// The quizzes that browser tests play.

import type { QuizBody } from '../../sdk/src/generated/protocol.ts';

/** Two rounds, all four types of question, and an answer that people misspell. */
export const WHOLE_QUIZ: QuizBody = {
  title: 'An evening in the hall',
  rounds: [
    {
      title: 'Warming up',
      questions: [
        { text: 'Which city is the capital of Iceland?', type: 'text', correctAnswers: ['Reykjavík'] },
        {
          text: 'Which planet is the largest?',
          type: 'multiple_choice',
          choices: ['Mars', 'Jupiter', 'Venus', 'Saturn'],
          correctAnswers: ['Jupiter'],
          points: 500,
        },
        { text: 'How many strings has a violin?', type: 'numeric', correctAnswers: ['4'], tolerance: 0 },
      ],
    },
    {
      title: 'By the lamp',
      questions: [
        { text: 'A lobster is a fish.', type: 'true_false', choices: ['True', 'False'], correctAnswers: ['False'] },
        { text: 'Who wrote “Nineteen Eighty-Four”?', type: 'text', correctAnswers: ['George Orwell', 'Orwell'] },
      ],
    },
  ],
};
