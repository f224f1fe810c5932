// What the autopilot does next, as the words before its countdown. Used by the phone and the screen.

import { m } from '$words/language.svelte.ts';

const WORDS: Readonly<Record<string, () => string>> = {
  release: m.everywhere_coming_question,
  release_question: m.everywhere_coming_question,
  end_round: m.everywhere_coming_end,
  tally: m.everywhere_coming_answer,
  reveal_answer: m.everywhere_coming_answer,
  release_scores: m.everywhere_coming_points,
  show_standings: m.everywhere_coming_standings,
  start_next_round: m.everywhere_coming_round,
};

/** Where each question is a round, the question comes, and the end of the round is only that of a question. */
const BY_QUESTION: typeof WORDS = { ...WORDS, start_next_round: m.everywhere_coming_question, end_round: m.everywhere_coming };

/** The words before the countdown to a step; a step of a later server has general ones. */
export function comingWords(step: string, isByQuestion: boolean): string {
  return ((isByQuestion ? BY_QUESTION : WORDS)[step] ?? m.everywhere_coming)();
}
