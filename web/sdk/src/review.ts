// The answers of a closed round as the host marks them, from the parts of `round_review` and every mark after. Pure; used
// by HostGame.

import type { AnswersMarked, OverrideApplied, Player, ReviewAnswer, RoundReview } from './generated/protocol.ts';

/** Complete or not; a new array with every change. */
export class Review {
  #answers: readonly ReviewAnswer[] = [];
  #isComplete = false;

  /** Null until every part is in. */
  get answers(): readonly ReviewAnswer[] | null {
    return this.#isComplete ? this.#answers : null;
  }

  clear(): void {
    this.#answers = [];
    this.#isComplete = false;
  }

  /** A part; the first one begins anew. */
  add({ answers, part = 1, parts = 1 }: RoundReview): void {
    this.#answers = part === 1 ? answers : [...this.#answers, ...answers];
    this.#isComplete = part === parts;
  }

  /** Answers that were entered for players without a phone; before the review is here it has them itself. */
  enter(entered: readonly ReviewAnswer[]): void {
    if (this.#isComplete) this.#answers = withAnswers(this.#answers, entered);
  }

  /** A single mark. One of a player without an answer adds an empty answer. */
  overrule({ playerId, questionId, correct }: OverrideApplied, displayName: string): void {
    const isIt = (answer: ReviewAnswer) => answer.playerId === playerId && answer.questionId === questionId;
    if (this.#answers.some(isIt)) {
      this.#answers = this.#answers.map((answer) => (isIt(answer) ? { ...answer, correct, partialPoints: 0 } : answer));
    } else {
      this.#answers = [...this.#answers, { playerId, displayName, questionId, answer: '', correct }];
    }
  }

  /** The host gave a player another name. */
  rename({ id, displayName }: Player): void {
    this.#answers = this.#answers.map((answer) => (answer.playerId === id ? { ...answer, displayName } : answer));
  }

  /** Many marks. An empty answer that does not count (any more) is none. */
  mark({ questionId, marks }: AnswersMarked): void {
    const marked = new Map(marks.map((mark) => [mark.playerId, mark]));
    this.#answers = this.#answers.flatMap((answer) => {
      const mark = answer.questionId === questionId ? marked.get(answer.playerId) : undefined;
      if (mark === undefined) return [answer];
      const { correct, partialPoints = 0 } = mark;
      return answer.answer === '' && !correct ? [] : [{ ...answer, correct, partialPoints }];
    });
  }
}

/** These answers with others, each in the place of that of the same player to the same question. */
export function withAnswers(answers: readonly ReviewAnswer[], others: readonly ReviewAnswer[]): readonly ReviewAnswer[] {
  return others.reduce<readonly ReviewAnswer[]>((all, one) => {
    const isIt = ({ playerId, questionId }: ReviewAnswer): boolean => playerId === one.playerId && questionId === one.questionId;
    return all.some(isIt) ? all.map((answer) => (isIt(answer) ? one : answer)) : [...all, one];
  }, answers);
}
