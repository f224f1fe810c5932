// Compares two views of a game. Pure. Used by announcement.ts.

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

/** The unseen questions that can still be seen because they are open. A phone may have slept through the end of a round. */
export function stillUnseen(unseen: readonly string[], now: PlayerView): readonly string[] {
  const isOpen = (id: string) => now.questions.some(({ question, closed }) => question.id === id && !closed);
  return now.phase === 'question' ? unseen.filter(isOpen) : [];
}

/** What a phone that has just taken over a seat has not shown yet: the questions that are open and have no answer. */
export function foundOpen({ phase, questions }: PlayerView): readonly string[] {
  if (phase !== 'question') return [];
  return questions.filter(({ closed, state }) => !closed && state === 'none').map(({ question }) => question.id);
}

/** The questions that have stopped taking answers while the round continues. */
export function newlyClosed(before: PlayerView | null, now: PlayerView): readonly PlayerQuestion[] {
  if (before?.phase !== 'question' || now.phase !== 'question') return [];
  const open = new Set(before.questions.filter(({ closed }) => !closed).map(({ question }) => question.id));
  return now.questions.filter(({ question, closed }) => closed && open.has(question.id));
}

/** The answers that the host has just revealed, or changed. */
export function newlyRevealed(before: PlayerView | null, now: PlayerView): PlayerView['revealed'] {
  if (!before?.phase) return [];
  const known = new Map(before.revealed.map((answer) => [answer.questionId, answer.correctAnswer]));
  return now.revealed.filter(({ questionId, correctAnswer }) => known.get(questionId) !== correctAnswer);
}

/** Whether a break has just begun or ended; null when neither. */
export function newBreak(before: PlayerView | null, now: PlayerView): 'begun' | 'over' | null {
  if (!before?.phase || (before.pause === null) === (now.pause === null)) return null;
  return now.pause === null ? 'over' : 'begun';
}

/**
 * The change of the standings while their view is shown: this player's points have arrived, or the board has. In a game that goes question
 * by question, the view begins with the points, and its title does not say them.
 */
export function newStandings(before: PlayerView | null, now: PlayerView): 'points' | 'shown' | null {
  if (!before?.phase || now.phase !== 'leaderboard' || (before.phase !== 'leaderboard' && !now.round?.section)) return null;
  if (before.board.length === 0 && now.board.length > 0) return 'shown';
  const round = roundOfPoints(now);
  return round !== null && round !== roundOfPoints(before) ? 'points' : null;
}

/** The round whose points are shown without the board. The points and the hold are two messages, and a view may have only one of them. */
function roundOfPoints({ standingsHeld, outcome }: PlayerView): number | null {
  return standingsHeld ? (outcome?.round ?? null) : null;
}

/** The tie-break that has just begun or come to its end; null when none has. */
export function newTieBreak(before: PlayerView | null, now: PlayerView): PlayerView['tieBreaks'][number] | null {
  const last = now.tieBreaks.at(-1);
  if (!before?.phase || !last) return null;
  const known = before.tieBreaks[now.tieBreaks.length - 1];
  return known === undefined || known.number !== last.number ? last : null;
}

/** Whether this moment shows, or soon may show, what only some games have: a joker, a tie-break, the autopilot's countdown. */
export function hasRareParts({ joker, jokerRound, tieBreaks, autopilot, nextStep, seal }: PlayerView): boolean {
  return seal !== null || joker !== null || jokerRound !== null || tieBreaks.length > 0 || autopilot !== null || nextStep !== null;
}

/** Whether the host has just lost the connection. */
export function hostLeft(before: PlayerView | null, now: PlayerView): boolean {
  return before?.hostConnected === true && now.hostConnected === false;
}

/** Whether the host has just shown the counts of a question. False when nothing was known before (a reload). */
export function newTally(before: PlayerView | null, now: PlayerView): boolean {
  return before !== null && before.phase !== null && now.tally !== null && before.tally?.questionId !== now.tally.questionId;
}
