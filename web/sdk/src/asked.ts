// The questions of a round as this device has seen them: what a revealed answer and the scores belong to once their questions are closed.
// Kept in memory. Used by PlayerGame.

import type { Question } from './generated/protocol.ts';

/** The questions of one round, in order of release. */
export class Asked {
  #round: number | null = null;
  #questions: readonly Question[] = [];

  get questions(): readonly Question[] {
    return this.#questions;
  }

  /** A question of this round is open; the same one again replaces itself, the first of another round all. */
  released(question: Question, round: number | null): void {
    const before = round === this.#round ? this.#questions : [];
    const isIt = ({ id }: Question) => id === question.id;
    this.#round = round;
    this.#questions = before.some(isIt) ? before.map((each) => (isIt(each) ? question : each)) : [...before, question];
  }

  /** A question has another text. */
  edited(questionId: string, text: string): void {
    this.#questions = this.#questions.map((each) => (each.id === questionId ? { ...each, text } : each));
  }
}
