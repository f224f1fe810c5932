// What the host types for a team on paper, as the server stores it, and a stored answer as it is shown in its field. Pure.

import { answerOf, isNumber, isOfSeveral, namedChoices } from '$sdk/choices.ts';
import { readNumbers } from '$sdk/number.ts';
import { choiceLetter } from '$ui/parts/choices.ts';

/** The part of a line of the sheet that says how its answers are read. */
export interface Asked {
  readonly type: string;
  readonly choices: readonly string[];
}

/**
 * The answer to store; null for a text that names none of the choices, or one of them twice. Choices are named by letter, text or
 * number (from 1), with commas or semicolons between them.
 */
export function toStore(typed: string, { type, choices }: Asked): string | null {
  const answer = typed.trim();
  if (!isOfSeveral(type)) return answer;
  const places = namedChoices(answer, choices) ?? namedChoices(answer.split(/[,;]/u).join('\n'), choices) ?? numbered(answer, choices);
  return places === null || new Set(places).size < places.length ? null : answerOf(places, choices);
}

/** A stored answer in its field: several choices as their letters, other answers as they are. */
export function shownAs(stored: string, { type, choices }: Asked): string {
  const places = isOfSeveral(type) ? namedChoices(stored, choices) : null;
  return places === null ? stored : places.map(choiceLetter).join(', ');
}

/** Whether an answer to a question about a number is none, so that it may count as wrong. */
export function lacksNumber(answer: string, type: string): boolean {
  return isNumber(type) && answer !== '' && readNumbers(answer).length === 0;
}

/** The places that numbers name, in one word only where each has one digit. */
function numbered(answer: string, { length }: readonly string[]): readonly number[] | null {
  const words = answer.split(/[\s,;.]+/u).filter((word) => word !== '');
  const numbers = words.length === 1 && length < 10 ? Array.from(words[0] ?? '') : words;
  const places = numbers.map((word) => (/^\d+$/.test(word) ? Number(word) - 1 : -1));
  return places.length > 0 && places.every((place) => place >= 0 && place < length) ? places : null;
}
