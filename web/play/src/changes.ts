// What has changed between two views of a game: pure comparisons. Used by announcement.ts.

import type { PlayerQuestion, PlayerView } from '$sdk';

/** The questions that were not there before; none when nothing was known before (a reload). */
export function newQuestions(before: PlayerView | null, now: PlayerView): readonly PlayerQuestion[] {
  if (!before?.phase || now.phase !== 'question') return [];
  const known = new Set(before.phase === 'question' ? before.questions.map(({ question }) => question.id) : []);
  return now.questions.filter(({ question }) => !known.has(question.id));
}

/** The question whose answer has just been acknowledged; null when none. */
export function newlyStored(before: PlayerView | null, now: PlayerView): PlayerQuestion | null {
  if (before?.phase !== 'question' || now.phase !== 'question') return null;
  const waiting = (each: PlayerQuestion) => each.state === 'sending' || each.state === 'changing';
  const pending = new Set(before.questions.filter(waiting).map(({ question }) => question.id));
  return now.questions.findLast(({ question, state }) => state === 'stored' && pending.has(question.id)) ?? null;
}

/** The question that another phone of the team has just answered; null when none. */
export function newlyShared(before: PlayerView | null, now: PlayerView): PlayerQuestion | null {
  if (before?.phase !== 'question' || now.phase !== 'question' || now.team === null) return null;
  const known = new Map(before.questions.map(({ question, storedAnswer }) => [question.id, storedAnswer]));
  const isNew = ({ question: { id }, by, storedAnswer }: PlayerQuestion) => by !== null && known.has(id) && known.get(id) !== storedAnswer;
  return now.questions.findLast(isNew) ?? null;
}

/** Whether the host was here and has just gone. */
export function hostLeft(before: PlayerView | null, now: PlayerView): boolean {
  return before?.hostConnected === true && now.hostConnected === false;
}

/** Whether the host has just shown the counts of a question; not when nothing was known before (a reload). */
export function newTally(before: PlayerView | null, now: PlayerView): boolean {
  return before !== null && before.phase !== null && now.tally !== null && before.tally?.questionId !== now.tally.questionId;
}
