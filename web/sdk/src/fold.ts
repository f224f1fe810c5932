// Makes texts equal that people consider the same, as the server's marking does (crates/rules/src/base/fold.rs); both are tested with
// crates/rules/tests/marking.tsv. Pure; used by the marking desk.

import { alike } from './letters.ts';
import { bare } from './signs.ts';

/** How many times a text is folded again because leaving out a sign joined others. */
const MOST_PASSES = 6;

/** The form in which answers are compared: letters alike, without the signs that do not count. */
export function fold(text: string): string {
  let folded: string | null = null;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const letters = alike(folded ?? text);
    const signs = bare(letters);
    const isSettled = signs.join('') === letters.join('');
    // An answer of only punctuation would be equal to every other one.
    const kept: string = signs.length > 0 ? signs.join('') : spaced(letters.join(''));
    if (isSettled || kept === folded) {
      folded = kept;
      break;
    }
    folded = kept;
  }
  return folded === null || folded === '' ? spaced(text) : folded;
}

function spaced(text: string): string {
  return text.replace(/\p{White_Space}+/gu, ' ').replace(/^ | $/g, '');
}
