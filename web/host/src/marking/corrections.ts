// The marks that can be corrected in rounds whose scores are out: the questions of these rounds with the answers in groups. Pure; drawn by
// Corrections.svelte.

import type { Results } from '$sdk';
import { hasChoices, isMarked } from '$sdk/choices.ts';

/** Answers with the same text. */
export interface OutGroup {
  readonly text: string;
  readonly count: number;
  /** `partial` where each earns half of the points; `mixed` also where they earn another part. */
  readonly correct: boolean | 'mixed' | 'partial';
}

/** A question of a round whose scores are out. */
export interface OutQuestion {
  readonly id: string;
  /** Its number as the page counts: with the round, unless the quiz has only one. */
  readonly place: string;
  readonly text: string;
  readonly key: string;
  /** Half of the points, where the host can give them; otherwise 0. */
  readonly half: number;
  readonly groups: readonly OutGroup[];
  readonly withdrawn: boolean;
}

/** The questions with marks of the first rounds, the latest round first. */
export function correctable(results: Results, roundsOut: number): readonly OutQuestion[] {
  const rounds = results.rounds.slice(0, roundsOut).map(({ questions, section }, at) =>
    questions.flatMap(({ questionId, type, text, correctAnswer, points, answers, withdrawn = false }, place) => {
      const half = halfOf(type, points);
      const groups = groupsOf(answers, half);
      if (!isMarked(type) || groups.length === 0) return [];
      return [{ id: questionId, place: placeOf(section, at, place, results.rounds.length), text, key: correctAnswer, half, groups, withdrawn }];
    }),
  );
  return rounds.reverse().flat();
}

/** Question by question, a game has a round for each question, and its section is the round of the quiz. */
function placeOf(section: Results['rounds'][number]['section'], at: number, place: number, rounds: number): string {
  const number = String((section?.questionIndex ?? place) + 1);
  const isOnly = (section?.questionCount ?? 1) === rounds;
  return isOnly ? number : `${String((section?.index ?? at) + 1)}.${number}`;
}

/** Half of the points of a question that the host can give to a group of answers, rounded down; 0 where half is not offered. */
export function halfOf(type: string, points: number): number {
  return isMarked(type) && !hasChoices(type) ? Math.floor(points / 2) : 0;
}

function groupsOf(answers: Results['rounds'][number]['questions'][number]['answers'], half: number): readonly OutGroup[] {
  const marks = new Map<string, OutGroup['correct'][]>();
  for (const { answer, correct, points, speedPoints = 0, streakPoints = 0, jokerPoints = 0 } of answers) {
    if (answer === '') continue;
    const earned = points - speedPoints - streakPoints - jokerPoints;
    const partly = earned === half ? 'partial' : 'mixed';
    marks.set(answer, [...(marks.get(answer) ?? []), correct || (earned > 0 && partly)]);
  }
  const groups = [...marks].map(([text, [first = false, ...others]]): OutGroup => {
    return { text, count: others.length + 1, correct: others.every((mark) => mark === first) ? first : 'mixed' };
  });
  return groups.sort((one, other) => other.count - one.count);
}
