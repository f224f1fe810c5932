// The closed round as the host marks it when it has so many answers that the server sends groups of them, from `review_groups`. Pure; used by
// HostGame.

import type { GroupedAnswers, ReviewGroup, ReviewGroups as Message } from './generated/protocol.ts';

/** The answers to one question, as the server has counted and grouped them. */
export interface GroupedReview extends Omit<GroupedAnswers, 'groups'> {
  /** The groups that the server has sent, by their keys; `total` is the number of all. */
  readonly groups: ReadonlyMap<string, ReviewGroup>;
}

/** Complete or not; a new map with every change. */
export class ReviewGroups {
  #questions: ReadonlyMap<string, GroupedReview> = new Map();
  #isComplete = false;

  /** By question, in order of release. Null until every part has arrived, and when the server has sent every answer instead. */
  get questions(): ReadonlyMap<string, GroupedReview> | null {
    return this.#isComplete ? this.#questions : null;
  }

  clear(): void {
    this.#questions = new Map();
    this.#isComplete = false;
  }

  /** Adds a question; the first one begins again. */
  add({ questionId, grouped: { groups, ...counted }, part, parts }: Message): void {
    const before = part === 1 ? [] : this.#questions;
    const byKey = new Map(groups.map((group) => [group.key, group]));
    this.#questions = new Map([...before, [questionId, { ...counted, groups: byKey }]]);
    this.#isComplete = part === parts;
  }

  /** Groups as they are now, in a message without a part. Returns the keys of those that have changed: the server repeats some that have not. */
  change({ questionId, grouped }: Message): readonly string[] {
    const known = this.#questions.get(questionId);
    if (!known) return [];
    const { groups, ...counted } = grouped;
    const isNew = (group: ReviewGroup): boolean => !isSame(group, known.groups.get(group.key));
    const byKey = new Map(known.groups);
    for (const group of groups) {
      if (group.count === 0) byKey.delete(group.key);
      else if (isNew(group)) byKey.set(group.key, group);
    }
    this.#questions = new Map([...this.#questions, [questionId, { ...counted, groups: byKey }]]);
    return groups.filter(isNew).map(({ key }) => key);
  }
}

/** Whether a group has the same answers with the same marks. */
function isSame(one: ReviewGroup, other: ReviewGroup | undefined): boolean {
  const marks = ({ count, right = 0, partial = 0, partialPoints = 0, ruled = false }: ReviewGroup): readonly unknown[] => [
    count,
    right,
    partial,
    partialPoints,
    ruled,
  ];
  const before = other && marks(other);
  return before !== undefined && marks(one).every((mark, at) => mark === before[at]);
}
