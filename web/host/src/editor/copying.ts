// Copies questions of the sheet into another quiz: finds the questions that can be copied, and makes the body of the other quiz with them.
// Pure.

import { LIMITS } from '$sdk/generated/limits.ts';
import type { QuizBody, RoundBody } from '$sdk/generated/protocol.ts';
import { tidyLine } from '$sdk/quizcheck.ts';

import { questionBody } from './body.ts';
import { isBlank, type QuizDocument, roundPoints } from './document.ts';
import { mistakesOf } from './mistakes.ts';

/** The keys of the questions that the server would accept: neither blank nor unfinished. */
export function copyable(document: QuizDocument): ReadonlySet<string> {
  const unfinished = new Set(mistakesOf(document).map(({ question }) => question));
  const all = document.rounds.flatMap(({ questions }) => questions);
  return new Set(all.filter((question) => !isBlank(question) && !unfinished.has(question.key)).map(({ key }) => key));
}

/** The questions with these keys, in their rounds here and with their points here. */
export function copiesOf(document: QuizDocument, keys: ReadonlySet<string>): RoundBody[] {
  const rounds = document.rounds.map((round) => ({
    title: tidyLine(round.title),
    questions: round.questions
      .filter(({ key }) => keys.has(key))
      .map((question) => questionBody(question, roundPoints(document, round))),
  }));
  return rounds.filter(({ questions }) => questions.length > 0);
}

/** The quiz with these rounds after its own; null when it would exceed a limit. */
export function withCopies(quiz: QuizBody, copies: readonly RoundBody[]): QuizBody | null {
  const rounds = [...quiz.rounds, ...copies];
  const questions = rounds.reduce((sum, round) => sum + round.questions.length, 0);
  if (rounds.length > LIMITS.rounds || questions > LIMITS.questions) return null;
  return { title: quiz.title, rounds };
}
