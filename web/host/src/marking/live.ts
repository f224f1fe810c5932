// The texts that wait for the host while answers arrive: neither the key nor the host has decided on them. They stay in the order
// of their first appearance, so that nothing moves under the host's hand. Pure; drawn by LiveDesk.svelte.

import type { HostView } from '$sdk';
import { hasChoices, isNumber } from '$sdk/choices.ts';
import { readNumbers } from '$sdk/number.ts';

/** A text that waits. */
export interface Waiting {
  readonly key: string;
  readonly questionId: string;
  /** The question's number on the phones. */
  readonly number: number;
  readonly text: string;
  readonly count: number;
  readonly nearMiss: boolean;
}

/** The name of a text among all that wait. */
export function waitingKey(questionId: string, text: string): string {
  return `${questionId}:${text}`;
}

/** Whether a key may have got the text wrong. A choice, or a number that was read, is what it is. */
function mayBeRight(type: string, text: string): boolean {
  return isNumber(type) ? readNumbers(text).length === 0 : !hasChoices(type);
}

/** Whether there are answers that a host decides on by their texts. */
export function hasTexts(view: Pick<HostView, 'questions' | 'groups'>): boolean {
  return view.questions.some(({ question }) => !hasChoices(question.type) && view.groups.has(question.id));
}

/** What waits, behind what waited before; without what was decided on here and is on its way. */
export function waitingOf(
  view: Pick<HostView, 'questions' | 'groups'>,
  before: readonly string[],
  decided: ReadonlySet<string>,
): readonly Waiting[] {
  const places = new Map(before.map((key, place) => [key, place]));
  const all = view.questions.flatMap(({ question, number }) =>
    (view.groups.get(question.id)?.groups ?? [])
      .filter(({ correct, ruled, text }) => !correct && ruled !== true && mayBeRight(question.type, text))
      .map(({ text, count, nearMiss = false }) => {
        return { key: waitingKey(question.id, text), questionId: question.id, number, text, count, nearMiss };
      }),
  );
  const placeOf = ({ key }: Waiting): number => places.get(key) ?? before.length;
  return all.filter(({ key }) => !decided.has(key)).sort((one, other) => placeOf(one) - placeOf(other));
}

/** The text behind the one that was decided on: the one that takes its place, or the last. */
export function nextOf(waiting: readonly Waiting[], key: string): string | null {
  const at = waiting.findIndex((each) => each.key === key);
  return (waiting[at + 1] ?? waiting[at - 1])?.key ?? null;
}
