// What can be corrected of rounds whose scores are out: their questions with the answers in groups. Pure; drawn by Corrections.svelte.

import type { Results } from '$sdk';
import { isMarked } from '$sdk/choices.ts';

/** Answers with the same text. */
export interface OutGroup {
  readonly text: string;
  readonly count: number;
  /** `mixed` also where they earn a part of the points. */
  readonly correct: boolean | 'mixed';
}

/** A question of a round that is out. */
export interface OutQuestion {
  readonly id: string;
  /** From 1, both. */
  readonly round: number;
  readonly number: number;
  readonly text: string;
  readonly key: string;
  readonly groups: readonly OutGroup[];
  readonly withdrawn: boolean;
}

/** The questions with marks of the first rounds, the latest round first. */
export function correctable(results: Results, roundsOut: number): readonly OutQuestion[] {
  const rounds = results.rounds.slice(0, roundsOut).map(({ questions }, at) =>
    questions.flatMap(({ questionId, type, text, correctAnswer, answers, withdrawn = false }, place) => {
      const groups = groupsOf(answers);
      if (!isMarked(type) || groups.length === 0) return [];
      return [{ id: questionId, round: at + 1, number: place + 1, text, key: correctAnswer, groups, withdrawn }];
    }),
  );
  return rounds.reverse().flat();
}

function groupsOf(answers: Results['rounds'][number]['questions'][number]['answers']): readonly OutGroup[] {
  const groups = new Map<string, { text: string; count: number; right: number; wrong: number }>();
  for (const { answer, correct, points } of answers) {
    if (answer === '') continue;
    const { count = 0, right = 0, wrong = 0 } = groups.get(answer) ?? {};
    const isWrong = !correct && points <= 0;
    groups.set(answer, { text: answer, count: count + 1, right: right + Number(correct), wrong: wrong + Number(isWrong) });
  }
  const shown = [...groups.values()].map(({ text, count, right, wrong }): OutGroup => {
    return { text, count, correct: right === count ? true : wrong === count ? false : 'mixed' };
  });
  return shown.sort((one, other) => other.count - one.count);
}
