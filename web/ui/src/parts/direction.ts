// The direction of a text, for the layout around it: the marks of choices, the picture beside a question. Pure.

import { FORMULA } from './formula.ts';

const FROM_RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** That of its first letter outside formulas, as with `dir="auto"`, which does not look into elements with a direction of their own. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  const [first = ''] = /\p{L}/u.exec(text.replaceAll(FORMULA, '')) ?? [];
  return FROM_RIGHT.test(first) ? 'rtl' : 'ltr';
}
