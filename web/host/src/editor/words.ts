// The sentences for what the pure modules of the editor say in codes.

import { LIMITS } from '$sdk/quizcheck.ts';
import { count, m } from '$words/language.svelte.ts';

import type { QuestionType } from './document.ts';
import type { MistakeCode } from './mistakes.ts';
import { MOST_POINTS } from './numbers.ts';

/** What is missing, as a sentence beside its place. */
export function mistakeWords(code: MistakeCode): string {
  const long = (most: number): string => m.host_mistake_long({ most: count(most) });
  const words: Record<MistakeCode, () => string> = {
    title_missing: m.host_mistake_title_missing,
    title_long: () => long(LIMITS.title),
    nothing_written: m.host_mistake_nothing_written,
    rounds_many: () => m.host_mistake_rounds_many({ most: count(LIMITS.rounds) }),
    questions_many: () => m.host_mistake_questions_many({ most: count(LIMITS.questions) }),
    round_title_long: () => long(LIMITS.title),
    round_empty: m.host_mistake_round_empty,
    round_full: () => m.host_mistake_round_full({ most: count(LIMITS.questionsPerRound) }),
    text_missing: m.host_mistake_text_missing,
    text_long: () => long(LIMITS.text),
    answer_missing: m.host_mistake_answer_missing,
    answer_long: () => long(LIMITS.choice),
    answers_many: () => m.host_mistake_answers_many({ most: count(LIMITS.answers) }),
    answer_not_number: m.host_mistake_not_number,
    choices_few: m.host_mistake_choices_few,
    choice_long: () => long(LIMITS.choice),
    choices_same: m.host_mistake_choices_same,
    choice_none_right: m.host_mistake_none_right,
    truth_missing: m.host_mistake_truth_missing,
    points_wrong: () => m.host_mistake_points({ most: count(MOST_POINTS) }),
    tolerance_wrong: m.host_mistake_tolerance,
  };
  return words[code]();
}

/** A type of question. */
export function typeWords(type: QuestionType): string {
  const words: Record<QuestionType, () => string> = {
    text: m.host_type_text,
    multiple_choice: m.host_type_choice,
    true_false: m.host_type_truth,
    numeric: m.host_type_number,
  };
  return words[type]();
}
