// Checks new accepted answers of a question that exists already, such as one of a running game, by the rules of the sheet. Pure; the
// dialogue that changes the answer in a game uses it, and shows the fault with `mistakeWords`.

import type { QuestionBody } from '$sdk/generated/protocol.ts';

import { acceptedOf, questionFrom } from './body.ts';
import { keyOf } from './document.ts';
import { type MistakeCode, questionMistakes } from './mistakes.ts';

/** The answers as they are stored, or what is wrong with them. */
export type CheckedAnswers = { readonly answers: readonly string[] } | { readonly fault: MistakeCode };

/**
 * Checks what would be accepted from now on: texts or numbers as typed, the right ones of the choices, or for `order` all choices in the
 * right order. A poll and a word cloud have no accepted answers.
 */
export function checkedAnswers(question: Pick<QuestionBody, 'type' | 'choices'>, typed: readonly string[]): CheckedAnswers {
  const draft = questionFrom({ ...question, text: '', correctAnswers: [...typed] }, ['', '']);
  const key = keyOf(draft.type);
  const wrong = questionMistakes(draft).find(({ field }) => field === key);
  return wrong ? { fault: wrong.code } : { answers: acceptedOf(draft) };
}
