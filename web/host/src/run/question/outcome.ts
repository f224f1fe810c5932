// How a question turned out, once its answers are marked: how many players were right, and how often each choice was taken. From the
// review while that is there, then from the results. Pure.

import type { GroupedReview } from '$sdk';
import { isMarked } from '$sdk/choices.ts';

import type { Hosting } from '../hosting.svelte.ts';
import { type Share, shareOf, takenOf } from '../shares.ts';
import type { SheetLine } from '../sheet.ts';

/** The outcome of a question. */
export interface Outcome {
  /** Null for a question that is not marked. */
  readonly share: Share | null;
  /** By choice, in their order; empty for a question without choices, and for an order. */
  readonly taken: readonly number[];
}

/** The outcome of a question of the round; null while it is not known. */
export function outcomeOf({ desk, inTime, results, round }: Hosting, line: SheetLine): Outcome | null {
  const reviewed = desk?.find((question) => question.line.id === line.id);
  const known = results?.rounds[round - 1]?.questions.find(({ questionId }) => questionId === line.id);
  if (reviewed?.counted) return countedOf(line, reviewed.counted, inTime?.size ?? 0);
  const answers = reviewed?.answers ?? known?.answers;
  if (!answers) return null;
  const players = reviewed ? Math.max(inTime?.size ?? 0, reviewed.players.size) : known?.players;
  const choices = line.type === 'order' ? [] : line.choices;
  return {
    share: isMarked(line.type) ? shareOf({ answers, ...(players !== undefined && { players }) }) : null,
    taken: takenOf(choices, answers),
  };
}

/** The same from the counts of the server. */
function countedOf(line: SheetLine, { answers, right, taken = [] }: GroupedReview, players: number): Outcome {
  const share = { right, of: Math.max(players, answers), given: answers };
  return { share: isMarked(line.type) ? share : null, taken: line.type === 'order' ? [] : taken };
}
