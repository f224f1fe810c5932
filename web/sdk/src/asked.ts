// The questions of a round as this device has seen them: revealed answers and scores refer to them once the questions are closed.
// Kept on the device. Used by PlayerGame.

import type { Question } from './generated/protocol.ts';
import type { StorageLike } from './platform.ts';
import { isRecord, readJson, writeJson } from './storage.ts';

/** The questions of one round, in order of release. */
export class Asked {
  readonly #storage: StorageLike | null;
  readonly #key: string;
  #round: number | null = null;
  #questions: readonly Question[] = [];

  constructor(storage: StorageLike | null, key: string) {
    this.#storage = storage;
    this.#key = key;
    const stored = readJson(storage, key);
    if (!isRecord(stored) || !Array.isArray(stored.questions)) return;
    this.#round = typeof stored.round === 'number' ? stored.round : null;
    this.#questions = (stored.questions as unknown[]).filter(isQuestion);
  }

  get questions(): readonly Question[] {
    return this.#questions;
  }

  /** A question of this round is open. The same question again replaces itself, the first of another round replaces all. */
  released(question: Question, round: number | null): void {
    const before = round === this.#round ? this.#questions : [];
    const isIt = ({ id }: Question) => id === question.id;
    this.#round = round;
    if (before.some(isIt)) this.#questions = before.map((each) => (isIt(each) ? question : each));
    else {
      this.#questions = [...before, question];
      this.#save();
    }
  }

  /** A question has another text. */
  edited(questionId: string, text: string): void {
    this.#questions = this.#questions.map((each) => (each.id === questionId ? { ...each, text } : each));
    this.#save();
  }

  #save(): void {
    writeJson(this.#storage, this.#key, { round: this.#round, questions: this.#questions });
  }
}

function isQuestion(value: unknown): value is Question {
  return isRecord(value) && typeof value.id === 'string' && typeof value.text === 'string' && typeof value.type === 'string';
}
