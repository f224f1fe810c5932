// Derives the key of a question from shares: formats of other programs give each choice or answer a share of the points, and Quizhall only
// distinguishes right and wrong. It converts a share where the meaning stays the same, and adds a remark where it changes. Used by the
// readers. Pure.

import { LIMITS } from '$sdk/generated/limits.ts';
import { exactly, readNumbers } from '$sdk/number.ts';
import type { RawQuestion } from '$sdk/quizcheck.ts';
import type { Remark } from '$sdk/quizrounds.ts';

import { unsupported } from './readquiz.ts';

/** The answers that a question accepts, and the remarks about it. */
export interface Key {
  readonly raw: Partial<RawQuestion>;
  readonly remarks: readonly Remark[];
}

/** A choice or an answer with its share of the points, in per cent. */
export interface Option {
  readonly text: string;
  readonly share: number;
}

/** An accepted number with its margin. */
export interface AcceptedNumber {
  readonly value: number;
  readonly margin: number;
  /** Its digits, if the file contains them: some texts have more digits than a number can. */
  readonly text?: string;
}

const PARTIAL: Remark = { reason: 'partial_answer', params: {}, dropped: false };
const UNEVEN: Remark = { reason: 'uneven_answers', params: {}, dropped: false };
const WILDCARD: Remark = { reason: 'wildcard_answer', params: {}, dropped: false };
const MARGINS: Remark = { reason: 'several_margins', params: {}, dropped: true };

const isFull = ({ share }: Option): boolean => share >= 100;
const isPartial = ({ share }: Option): boolean => share > 0 && share < 100;

/** Choices of which a player picks one. With `isSeveral`, the player picks all right ones, whose shares add up to the whole. */
export function choiceKey(options: readonly Option[], isSeveral: boolean): Key {
  const right = options.filter(isFull).map(({ text }) => text);
  const isPart = options.some(isPartial);
  const raw = { type: 'multiple_choice', choices: options.map(({ text }) => text), correctAnswers: right };
  if (isSeveral && (isPart || right.length !== 1)) return severalKey(options);
  return { raw, remarks: isPart ? [PARTIAL] : [] };
}

function severalKey(options: readonly Option[]): Key {
  const right = options.filter(({ share }) => share > 0);
  const shares = right.map(({ share }) => share);
  const sum = shares.reduce((all, share) => all + share, 0);
  const key = selectKey(options.map(({ text }) => text), right.map(({ text }) => text));
  // Programs write a third as 33, as 33.3 and as 33.33333.
  if (Math.abs(sum - 100) > 1.5) return { ...key, remarks: [unsupported('several_answers')] };
  return mostOf(shares) + mostOf(shares.map((share) => -share)) > 1.5 ? { ...key, remarks: [UNEVEN] } : key;
}

/** The largest of any number of numbers. */
export function mostOf(numbers: Iterable<number>): number {
  let most = -Infinity;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

/** A question with more choices than are allowed: it is refused for that, and nothing else is examined. */
export function isCrowded(choices: readonly unknown[]): boolean {
  return choices.length > 4 * LIMITS.choices;
}

/** Choices of which a player picks all right ones. With only one right choice, it is an ordinary question with choices. */
export function selectKey(choices: readonly string[], right: readonly string[]): Key {
  const type = right.length === 1 ? 'multiple_choice' : 'multi_select';
  return { raw: { type, choices, correctAnswers: right }, remarks: [] };
}

/** Things to be put in order, given in the right order. They are offered in an order that does not show it. */
export function orderKey(ordered: readonly string[]): Key {
  const sorted = inOrder(ordered);
  const isGivenAway = sorted.every((choice, at) => choice === ordered[at]);
  return { raw: { type: 'order', choices: isGivenAway ? sorted.reverse() : sorted, correctAnswers: ordered }, remarks: [] };
}

/** Texts in alphabetical order and numbers by size: an order that does not show which is right. */
export function inOrder(choices: readonly string[]): string[] {
  return [...choices].sort(new Intl.Collator('en', { numeric: true }).compare);
}

/** A statement that is true or false. */
export function truthKey(isTrue: boolean): Key {
  return { raw: { type: 'true_false', correctAnswers: [isTrue ? 'True' : 'False'] }, remarks: [] };
}

/** Written answers. A `*` stands for any text in Moodle and Quizhall has no such answers; `\*` is the sign itself. */
export function textKey(options: readonly Option[]): Key {
  const isWild = ({ text }: Option): boolean => /(^|[^\\])\*/.test(text);
  const right = options.filter((option) => isFull(option) && !isWild(option));
  const remarks = [
    ...(options.some(isPartial) ? [PARTIAL] : []),
    ...(options.some((option) => isFull(option) && isWild(option)) ? [WILDCARD] : []),
  ];
  return { raw: { type: 'text', correctAnswers: right.map(({ text }) => text.replaceAll('\\*', '*')) }, remarks };
}

/** Numbers: one margin applies to all of them. */
export function numberKey(accepted: readonly AcceptedNumber[], isPart = false): Key {
  const margins = new Set(accepted.map(({ margin }) => margin));
  const raw = {
    type: 'numeric',
    correctAnswers: accepted.map(({ value, text }) => exactly(value, text)),
    tolerance: accepted[0]?.margin ?? 0,
  };
  const remarks = [...(isPart ? [PARTIAL] : []), ...(margins.size > 1 ? [MARGINS] : [])];
  return { raw, remarks };
}

/** The middle of a range, with half of it as the margin. */
export function middleOf(low: string, high: string): AcceptedNumber {
  const [from, to] = [Number(low), Number(high)];
  const isPlain = !/e/i.test(low + high);
  const digits = Math.min(100, Math.max(decimals(low), decimals(high)) + 1);
  const clean = (value: number): number => (isPlain ? Number(value.toFixed(digits)) : Number(value.toPrecision(12)));
  return { value: clean((from + to) / 2), margin: Math.abs(clean((to - from) / 2)) };
}

const decimals = (number: string): number => /\.(\d*)/.exec(number)?.[1]?.length ?? 0;

/** A number as programs write it, with a point; undefined for anything else. */
export function plainNumber(text: string): number | undefined {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i.test(text) ? Number(text) : undefined;
}

/** A number as people write it into such files: also with an unambiguous decimal comma, or as `3*10^8`. */
export function numberIn(text: string): { readonly value: number; readonly text: string } | undefined {
  const [, mantissa, exponent] = /^\s*([^\s*×x·]+)\s*[*×x·]\s*10\s*(?:\^|\*\*)\s*[({]?\s*([+-]?\d{1,3})\s*[)}]?\s*$/i.exec(text) ?? [];
  const spelled = (mantissa === undefined ? text : `${mantissa}e${exponent ?? ''}`).replace(/[\u2212\u2013]/g, '-').trim();
  const readings = readNumbers(spelled);
  const value = plainNumber(spelled) ?? (readings.length === 1 ? readings[0] : undefined);
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return { value, text: plainNumber(spelled) === undefined ? String(value) : spelled.replace(/^\+/, '') };
}
