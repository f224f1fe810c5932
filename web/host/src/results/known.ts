// What the results do not say of a question: every accepted answer and every choice. Both come from the quiz, as long as the quiz is still
// what the game was made of; otherwise the page shows what the results have. Pure.

import type { QuestionResults, Quiz } from '$sdk';

/** A question as the host knows it. */
export interface Known {
  /** The accepted answers, the one that players see first. */
  readonly keys: readonly string[];
  /** In the order of the quiz; empty when they are not known. */
  readonly choices: readonly string[];
  readonly tolerance: number;
}

/** Says of each question what is known. `createdAt` is the moment of the game. */
export function knowing(quiz: Quiz | null, createdAt: string): (question: QuestionResults) => Known {
  const isSame = quiz !== null && Date.parse(quiz.updatedAt) <= Date.parse(createdAt);
  const bodies = isSame ? quiz.rounds.flatMap(({ questions }) => questions) : [];
  return (question) => {
    const shown = question.correctAnswer.split('\n').filter((line) => line !== '');
    const body = bodies.find(({ id }) => id === question.questionId);
    const { correctAnswers = [], choices = [], tolerance = 0 } = body ?? {};
    // A host can change the key and the choices of the game.
    const isKeyKept = shown.every((line, at) => line === correctAnswers[at]) && !question.answers.some(({ byChangedKey }) => byChangedKey);
    const areChoicesKept = question.answers.every(({ answer }) => answer.split('\n').every((line) => line === '' || choices.includes(line)));
    return {
      keys: isKeyKept && correctAnswers.length > 0 ? correctAnswers : shown,
      choices: areChoicesKept ? choices : [],
      tolerance: isKeyKept ? (tolerance ?? 0) : 0,
    };
  };
}
