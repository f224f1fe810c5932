// The parts of a game in its results: its rounds; in a game that is played question by question, where each question is a round, the
// sections that they came from. The one place that knows the difference: the page and the files show parts. Pure but for the words.

import { type AdjustmentResult, type QuestionResults, type Results, standingsOf } from '$sdk';
import { isMarked } from '$sdk/choices.ts';
import * as m from '$words/generated/messages.js';

/** A round, or a section. */
export interface Part {
  /** From 1. */
  readonly number: number;
  /** May be empty. */
  readonly title: string;
  /** In order of release. */
  readonly questions: readonly QuestionResults[];
  /** The points that the host gave by hand, in order. */
  readonly adjustments: readonly AdjustmentResult[];
}

/** A player with the points of each column. */
export interface StandingsRow {
  readonly playerId: string;
  readonly rank: number;
  readonly name: string;
  readonly total: number;
  readonly points: readonly number[];
}

/** The parts in which a question was asked or points were given by hand, in order. */
export function partsOf({ rounds }: Pick<Results, 'rounds'>): readonly Part[] {
  const keys = rounds.map((round, at) => round.section?.index ?? `round ${String(at)}`);
  return [...new Set(keys)].map((key, place) => {
    const own = rounds.filter((_, at) => keys[at] === key);
    const [first] = own;
    const title = first?.section?.title ?? first?.title ?? '';
    const adjustments = own.flatMap(({ adjustments = [] }) => adjustments);
    return { number: place + 1, title, questions: own.flatMap(({ questions }) => questions), adjustments };
  }).filter(({ questions, adjustments }) => questions.length + adjustments.length > 0);
}

/** A part by its number and title. */
export function partName({ number, title }: Pick<Part, 'number' | 'title'>): string {
  return title === '' ? m.run_results_round({ round: number }) : m.run_results_round_titled({ round: number, title });
}

/** The parts whose points are in the total. None when there is one: it would repeat the total. */
export function columnsOf({ rounds, phase }: Pick<Results, 'rounds' | 'phase'>): readonly Part[] {
  const isCounting = phase === 'question' || phase === 'round_review';
  const parts = partsOf({ rounds: isCounting ? rounds.slice(0, -1) : rounds });
  return parts.length > 1 ? parts : [];
}

/** How many of the questions with a right answer each player got right, and how many there were. Withdrawn ones do not count. */
export function rightsOf({ rounds }: Pick<Results, 'rounds'>): { readonly of: number; readonly right: (playerId: string) => number } {
  const marked = rounds.flatMap(({ questions }) => questions).filter(({ type, withdrawn }) => isMarked(type) && withdrawn !== true);
  const byPlayer = new Map<string, number>();
  for (const { playerId, correct } of marked.flatMap(({ answers }) => answers)) {
    if (correct) byPlayer.set(playerId, (byPlayer.get(playerId) ?? 0) + 1);
  }
  return { of: marked.length, right: (playerId) => byPlayer.get(playerId) ?? 0 };
}

/** The players by place. */
export function standingsRows(results: Results): readonly StandingsRow[] {
  const earned = columnsOf(results).map(pointsOf);
  return standingsOf(results).map(({ playerId, rank, displayName, score }) => {
    return { playerId, rank, name: displayName, total: score, points: earned.map((byPlayer) => byPlayer.get(playerId) ?? 0) };
  });
}

function pointsOf({ questions, adjustments }: Part): ReadonlyMap<string, number> {
  const byPlayer = new Map<string, number>();
  for (const { playerId, points } of [...questions.flatMap(({ answers }) => answers), ...adjustments]) {
    byPlayer.set(playerId, (byPlayer.get(playerId) ?? 0) + points);
  }
  return byPlayer;
}
