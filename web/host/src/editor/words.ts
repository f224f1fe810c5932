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
  };
  return words[type]();
}
