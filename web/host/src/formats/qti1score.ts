// The conditions of a QTI 1.2 item, and the written answers and numbers that they accept. Called by qti1item.ts. Pure.

import { child, children, descendants } from './elements.ts';
import { type AcceptedNumber, type Key, middleOf, mostOf, numberIn, numberKey, type Option, plainNumber } from './keys.ts';
import { MALFORMED } from './readquiz.ts';

/** A condition that earns points. */
export interface Condition {
  readonly points: number;
  /** Choices or texts that the answer must contain, or of which it must be one. */
  readonly named: readonly string[];
  /** Bounds of numbers, `null` where one is missing. */
  readonly ranges: readonly { readonly low: string | null; readonly high: string | null }[];
  /** Texts that an answer must contain. */
  readonly isLoose: boolean;
}

/** All conditions that affect the points, including those that subtract points. */
export function conditionsOf(item: Element): Condition[] {
  return descendants(item, 'respcondition').flatMap((each) => {
    const variable = child(each, 'conditionvar');
    const points = children(each, 'setvar').flatMap((set) => pointsOf(set) ?? []);
    if (!variable || points.length === 0) return [];
    const isMeant = (test: Element): boolean => test.closest('not') === null;
    const named = descendants(variable, 'varequal').filter(isMeant).map(({ textContent }) => textContent.trim());
    const ranges = [variable, ...descendants(variable, 'and')].flatMap(rangeIn);
    const isLoose = descendants(variable, 'varsubstring').some(isMeant);
    return [{ points: mostOf(points), named, ranges, isLoose }];
  });
}

/** The value to which a variable of the score is set. Other variables count attempts or mistakes. */
function pointsOf(set: Element): number | undefined {
  const name = set.getAttribute('varname') ?? 'SCORE';
  if (!/score|points|correct|^que$/i.test(name) || /incorrect/i.test(name)) return undefined;
  const value = set.textContent.trim();
  if (/^score\.max$/i.test(value)) return 100;
  const points = plainNumber(value);
  return points !== undefined && /^subtract$/i.test(set.getAttribute('action') ?? '') ? -points : points;
}

function rangeIn(parent: Element): Condition['ranges'] {
  const bound = (...names: string[]): string | null => names.flatMap((name) => children(parent, name))[0]?.textContent.trim() ?? null;
  const [low, high] = [bound('vargte', 'vargt'), bound('varlte', 'varlt')];
  return low === null && high === null ? [] : [{ low, high }];
}

/** Written answers with their shares. A text that an answer must only contain stands for several answers. */
export function acceptedIn(conditions: readonly Condition[]): Option[] {
  const most = mostOf(conditions.map(({ points }) => points));
  return conditions.flatMap(({ named, points, isLoose }) => {
    const share = (points / most) * 100;
    const exact = named.map((text) => ({ text: text.replaceAll('*', '\\*'), share }));
    return isLoose ? [...exact, { text: '*', share }] : exact;
  });
}

/** Numbers and ranges. A number inside a range only repeats its middle. */
export function numbersIn(conditions: readonly Condition[]): Key {
  const most = mostOf(conditions.map(({ points }) => points));
  const full = conditions.filter(({ points }) => points === most);
  const ranges = full.flatMap((condition) => condition.ranges).map(({ low, high }) => {
    const isBoth = plainNumber(low ?? '') !== undefined && plainNumber(high ?? '') !== undefined;
    return isBoth ? middleOf(low ?? '', high ?? '') : undefined;
  });
  const exact = full.flatMap(({ named }) => named).map(numberIn);
  if (ranges.includes(undefined) || exact.includes(undefined)) return { raw: { type: 'numeric' }, remarks: [MALFORMED] };
  const wide = ranges as AcceptedNumber[];
  const apart = (exact as { value: number; text: string }[]).filter(({ value }) => {
    return !wide.some((range) => Math.abs(value - range.value) <= range.margin + Math.abs(value) * 1e-9);
  });
  const accepted = [...wide, ...apart.map((number) => ({ ...number, margin: 0 }))];
  return numberKey(accepted, full.length < conditions.length);
}
