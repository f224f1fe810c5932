// The answers of a closed round as the host marks them, from the parts of `round_review` and every later mark. Pure; used
// by HostGame.

import type { AnswersMarked, OverrideApplied, Player, ReviewAnswer, RoundReview } from './generated/protocol.ts';

/** Complete or not; a new array with every change. */
export class Review {
  #answers: readonly ReviewAnswer[] = [];
  #isComplete = false;

  /** Null until every part has arrived. */
  get answers(): readonly ReviewAnswer[] | null {
    return this.#isComplete ? this.#answers : null;
  }

  clear(): void {
    this.#answers = [];
    this.#isComplete = false;
  }

  /** Adds a part; the first one begins again. */
  add({ answers, part = 1, parts = 1 }: RoundReview): void {
    this.#answers = part === 1 ? answers : [...this.#answers, ...answers];
    this.#isComplete = part === parts;
  }

  /** Answers that were entered for players without a phone; before the review has arrived, it will contain them itself. */
  enter(entered: readonly ReviewAnswer[]): void {
    if (this.#isComplete) this.#answers = withAnswers(this.#answers, entered);
  }

  /** A single mark. One of a player without an answer adds an empty answer. */
  overrule({ playerId, questionId, correct }: OverrideApplied, displayName: string): void {
    const isIt = (answer: ReviewAnswer) => answer.playerId === playerId && answer.questionId === questionId;
    if (this.#answers.some(isIt)) {
      this.#answers = this.#answers.map((answer) => (isIt(answer) ? { ...answer, correct, partialPoints: 0, ruled: true } : answer));
    } else {
      this.#answers = [...this.#answers, { playerId, displayName, questionId, answer: '', correct, ruled: true }];
    }
  }

  /** The host gave a player another name. */
  rename({ id, displayName }: Player): void {
    this.#answers = this.#answers.map((answer) => (answer.playerId === id ? { ...answer, displayName } : answer));
  }

  /** Many marks. An empty answer that does not count (any more) is removed. */
  mark({ questionId, marks }: AnswersMarked): void {
    const marked = new Map(marks.map((mark) => [mark.playerId, mark]));
    this.#answers = this.#answers.flatMap((answer) => {
      const mark = answer.questionId === questionId ? marked.get(answer.playerId) : undefined;
      if (mark === undefined) return [answer];
      const { correct, partialPoints = 0, ruled = false } = mark;
      return answer.answer === '' && !correct ? [] : [{ ...answer, correct, partialPoints, ruled }];
    });
  }
}

/** These answers, with others in place of those of the same player to the same question. */
export function withAnswers(answers: readonly ReviewAnswer[], others: readonly ReviewAnswer[]): readonly ReviewAnswer[] {
  return others.reduce<readonly ReviewAnswer[]>((all, one) => {
    const isIt = ({ playerId, questionId }: ReviewAnswer): boolean => playerId === one.playerId && questionId === one.questionId;
    return all.some(isIt) ? all.map((answer) => (isIt(answer) ? one : answer)) : [...all, one];
  }, answers);
}
