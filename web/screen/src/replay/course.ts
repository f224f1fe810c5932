// The course of a replay: what each moment is called, where its parts begin, and how long it is shown. Pure.

import type { GameMoment } from '$sdk';

/** What a moment is called: its kind, its round, and the number of its question in that round. */
export interface Label {
  readonly kind: GameMoment['kind'];
  /** From 1; 0 in the lobby. */
  readonly round: number;
  /** From 1; 0 where it is about no question. */
  readonly question: number;
}

/** A part of the game: the moments from this one to the next part have one label. */
export interface Part {
  /** The first moment. */
  readonly index: number;
  readonly label: Label;
}

/** How fast a replay can be played. */
export const SPEEDS = [1, 2, 5, 10, 20] as const;
export type Speed = (typeof SPEEDS)[number];

/** The longest that a picture is shown at ordinary speed: no one waits through a break again. */
const MOST_MS = 8_000;
/** How long a picture without a time is shown at ordinary speed. */
const UNTIMED_MS = 3_000;
/** The shortest that a picture is shown at any speed, so that it can be drawn. */
const LEAST_MS = 80;

/** The labels of all moments. Questions are counted in each round by their first moment. */
export function labelsOf(moments: readonly GameMoment[]): Label[] {
  const numbers = new Map<string, number>();
  const counted = new Map<number, number>();
  return moments.map(({ kind, round, questionId }) => {
    if (questionId === undefined) return { kind, round, question: 0 };
    const known = numbers.get(questionId);
    if (known !== undefined) return { kind, round, question: known };
    const next = (counted.get(round) ?? 0) + 1;
    counted.set(round, next);
    numbers.set(questionId, next);
    return { kind, round, question: next };
  });
}

/** The parts of a game, in order. */
export function partsOf(labels: readonly Label[]): Part[] {
  return labels.flatMap((label, index) => {
    const before = labels[index - 1];
    return before && isSame(before, label) ? [] : [{ index, label }];
  });
}

function isSame(one: Label, other: Label): boolean {
  return one.kind === other.kind && one.round === other.round && one.question === other.question;
}

/** How long a moment was shown in the game, as far as a replay shows it, in milliseconds. */
export function shownMs(moment: GameMoment, next: GameMoment): number {
  if (moment.at === undefined || next.at === undefined) return UNTIMED_MS;
  return Math.min(MOST_MS, Math.max(0, Date.parse(next.at) - Date.parse(moment.at)));
}

/** How long a moment is shown at this speed, in milliseconds. */
export function waitMs(moment: GameMoment, next: GameMoment, speed: Speed): number {
  return Math.max(LEAST_MS, shownMs(moment, next) / speed);
}
