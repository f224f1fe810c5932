// The sentences for the types of questions.

import { m } from '$words/language.svelte.ts';

import type { QuestionType } from './document.ts';

/** A type of question. */
export function typeWords(type: QuestionType): string {
  const words: Record<QuestionType, () => string> = {
    text: m.host_type_text,
    multiple_choice: m.host_type_choice,
    true_false: m.host_type_truth,
    numeric: m.host_type_number,
    multi_select: m.host_type_select,
    order: m.host_type_order,
    poll: m.host_type_poll,
    word_cloud: m.host_type_cloud,
    nearest: m.host_type_nearest,
  };
  return words[type]();
}
