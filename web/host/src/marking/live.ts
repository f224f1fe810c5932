// The texts that wait for the host while answers arrive: neither the key nor the host has decided on them. Doubtful ones come first.
// Otherwise they stay in the order of their first appearance, so that nothing moves under the host's hand. Pure; drawn by LiveDesk.svelte.

import type { HostView } from '$sdk';
import { hasChoices, isNumber } from '$sdk/choices.ts';
import { readNumbers } from '$sdk/number.ts';

import { numberIn } from '../run/sheet.ts';

/** A text without a decision. */
export interface Waiting {
  readonly key: string;
  readonly questionId: string;
  /** The question's number on the phones. */
  readonly number: number;
  readonly text: string;
  readonly count: number;
  readonly nearMiss: boolean;
  /** Whether the key may have misjudged it: a near miss, or what should be a number and cannot be read as one. */
  readonly doubtful: boolean;
}

/** The key of a text among all that wait. */
export function waitingKey(questionId: string, text: string): string {
  return `${questionId}:${text}`;
}

/** Whether the key may have misjudged the text. A choice, or a readable number, is unambiguous. */
function mayBeRight(type: string, text: string): boolean {
  return isNumber(type) ? readNumbers(text).length === 0 : !hasChoices(type);
}

/** Whether there are answers that the host decides by their texts. */
export function hasTexts(view: Pick<HostView, 'questions' | 'groups'>): boolean {
  return view.questions.some(({ question }) => !hasChoices(question.type) && view.groups.has(question.id));
}

/**
 * The waiting texts, new ones after earlier ones: without those whose decision from here is in flight, and with those whose decision is
 * being taken back from here, whatever the server said of it before.
 */
export function waitingOf(
  view: Pick<HostView, 'questions' | 'groups'> & Partial<Pick<HostView, 'round'>>,
  before: readonly string[],
  decided: ReadonlySet<string>,
  undone: ReadonlySet<string> = new Set(),
): readonly Waiting[] {
  const places = new Map(before.map((key, place) => [key, place]));
  const all = view.questions.flatMap(({ question, number }) =>
    (view.groups.get(question.id)?.groups ?? [])
      .filter(({ correct, ruled, text }) => {
        const isOpen = (!correct && ruled !== true) || undone.has(waitingKey(question.id, text));
        return isOpen && mayBeRight(question.type, text);
      })
      .map(({ text, count, nearMiss = false }) => {
        const doubtful = nearMiss || isNumber(question.type);
        return { key: waitingKey(question.id, text), questionId: question.id, number: numberIn(view, number), text, count, nearMiss, doubtful };
      }),
  );
  const placeOf = ({ key }: Waiting): number => places.get(key) ?? before.length;
  const isFirst = (one: Waiting, other: Waiting): number => Number(other.doubtful) - Number(one.doubtful) || placeOf(one) - placeOf(other);
  return all.filter(({ key }) => !decided.has(key)).sort(isFirst);
}

/** The text after the decided one, which takes its place. After the last one the first. */
export function nextOf(waiting: readonly Waiting[], key: string): string | null {
  const at = waiting.findIndex((each) => each.key === key);
  return (waiting[at + 1] ?? waiting.find((each) => each.key !== key))?.key ?? null;
}
