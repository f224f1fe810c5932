// The games in which the questions of the open quiz were asked, by the keys of the questions. Read once, when the quiz is opened; the
// editor works without it.

import type { AskedIn, HostApi, QuestionHistory } from '$sdk';

/** The part of HostApi that is used. */
type HistoryApi = Pick<HostApi, 'quizHistory'>;

/** The history of a quiz. */
export class AskedHistory {
  readonly #api: HistoryApi;
  #questions = $state.raw<readonly QuestionHistory[]>([]);

  constructor(api: HistoryApi) {
    this.#api = api;
  }

  /** The games in which the question was asked, newest first. */
  of(question: string): readonly AskedIn[] {
    return this.#questions.find(({ questionId }) => questionId === question)?.games ?? [];
  }

  /** Reads the history, and repeats this while the server still counts games that have ended. */
  async load(quizId: string): Promise<void> {
    let left = Infinity;
    try {
      for (;;) {
        const { questions, pending = 0 } = await this.#api.quizHistory(quizId);
        this.#questions = questions;
        if (pending === 0 || pending >= left) return;
        left = pending;
      }
    } catch {
      // Nothing is shown.
    }
  }
}
