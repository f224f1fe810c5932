// The order of questions in the results of a game. Pure.

import { isMarked } from './choices.ts';

/** A question that was asked: how many players were right, out of how many. */
interface Asked {
  readonly type: string;
  readonly withdrawn?: boolean;
  readonly right: number;
  readonly of: number;
}

/** Marked questions with the smallest share of right answers first, then those without marks, then those that were withdrawn. */
export function hardestFirst<Each extends Asked>(asked: readonly Each[]): readonly Each[] {
  const weight = ({ type, withdrawn, right, of }: Each): number => {
    if (withdrawn) return 3;
    if (!isMarked(type)) return 2;
    return of > 0 ? right / of : 0;
  };
  return [...asked].sort((one, other) => weight(one) - weight(other));
}
