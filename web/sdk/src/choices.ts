// Which choices an answer names, and properties of the types of questions. The server reads answers by the same rule
// (crates/quiz, choice.rs); both are tested with crates/quiz/tests/choices.json. Pure.

import type { ReviewAnswer } from './generated/protocol.ts';

/**
 * The places of the choices that an answer names, in its order and as often as it names them; null when a part of it names
 * none. One choice per line by its text, in any letter case that is unambiguous; otherwise letters, separate or in a word.
 */
export function namedChoices(answer: string, choices: readonly string[]): readonly number[] | null {
  const lines = answer.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  if (lines.length === 0) return null;
  const byText = lines.map((line) => placeOfText(line, choices));
  return byText.every((place) => place !== null) ? byText : byLetters(answer, choices.length);
}

/** The texts of the choices that an answer names, in the form of an answer. */
export function answerOf(places: readonly number[], choices: readonly string[]): string {
  return places.map((place) => choices[place] ?? '').join('\n');
}

function placeOfText(line: string, choices: readonly string[]): number | null {
  const same = choices.findIndex((choice) => choice.trim() === line);
  if (same >= 0) return same;
  const lower = line.toLowerCase();
  const alike = choices.flatMap((choice, place) => (choice.trim().toLowerCase() === lower ? [place] : []));
  return alike.length === 1 ? (alike[0] ?? null) : null;
}

function byLetters(answer: string, count: number): readonly number[] | null {
  const words = answer.split(/[\s,;]+/u).filter((word) => word !== '');
  const isOneWord = words.length === 1;
  if (!isOneWord && words.some((word) => Array.from(word).length > 1)) return null;
  const places = words.flatMap((word) => Array.from(word)).map((letter) => {
    return /^[a-z]$/i.test(letter) ? letter.toUpperCase().charCodeAt(0) - 65 : count;
  });
  if (places.length === 0 || places.some((place) => place >= count)) return null;
  return isOneWord && new Set(places).size < places.length ? null : places;
}

/** Whether questions of this type have choices. */
export function hasChoices(type: string): boolean {
  return type === 'multiple_choice' || type === 'true_false' || type === 'poll' || isOfSeveral(type);
}

/** Whether the right answer consists of several choices together. */
export function isOfSeveral(type: string): boolean {
  return type === 'multi_select' || type === 'order';
}

/** Whether answers are right or wrong; for the other types the host shows the tally. */
export function isMarked(type: string): boolean {
  return type !== 'poll' && type !== 'word_cloud';
}

/** Whether a wrong answer can cost points: an answer to a `nearest` question is never wrong. */
export function canCost(type: string): boolean {
  return isMarked(type) && type !== 'nearest';
}

/** Whether answers are numbers. */
export function isNumber(type: string): boolean {
  return type === 'numeric' || type === 'nearest';
}

/** Whether an answer counts as right, or as wholly wrong, so that such a mark changes nothing. */
export function countsAs({ correct, partialPoints = 0 }: Pick<ReviewAnswer, 'correct' | 'partialPoints'>, as: boolean): boolean {
  return correct === as && partialPoints === 0;
}
