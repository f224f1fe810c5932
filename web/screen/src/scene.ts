// Chooses the scene of a picture, its sound, and the layout of its parts. Pure; the components draw the result.

import type { ScreenRow, ScreenShow, ScreenView } from './view.ts';

/** The scenes of a game. */
export type Scene = 'waiting' | 'dark' | 'break' | 'tie' | 'lobby' | 'round' | 'questions' | 'marking' | 'tally' | 'answer' | 'board' | 'next' | 'podium' | 'winner';

/** A short sound for a moment of the game. */
export type Cue = 'question' | 'end' | 'podium';

/** The scene of a picture; without one, the screen waits for its host page. */
export function sceneOf(view: ScreenView | null): Scene {
  if (!view) return 'waiting';
  if (view.blank) return 'dark';
  if (view.pause) return 'break';
  if (view.tally) return 'tally';
  if (view.phase === 'question') return view.questions.length === 0 ? 'round' : 'questions';
  if (view.phase === 'lobby') return 'lobby';
  return view.show ? BY_SHOW[view.show.kind] : 'marking';
}

const BY_SHOW = {
  question: 'answer',
  standings: 'board',
  next: 'next',
  podium: 'podium',
  winner: 'winner',
  tie_break: 'tie',
} as const satisfies Record<ScreenShow['kind'], Scene>;

/** Whether a picture shows the final result. */
function showsEnd(view: ScreenView): boolean {
  return view.show?.kind === 'winner' || (view.show?.kind === 'podium' && view.show.whole);
}

/** The sound of a change. A first picture is silent, because a reload is no event in the room. */
export function cueOf(before: ScreenView | null, now: ScreenView): Cue | null {
  if (!now.sound || !before || now.blank) return null;
  if (now.phase === 'leaderboard' || now.phase === 'ended') return showsEnd(now) && !showsEnd(before) ? 'podium' : null;
  if (now.phase === 'round_review') return before.phase === 'round_review' ? null : 'end';
  if (now.phase !== 'question') return null;
  const known = new Set(before.phase === 'question' ? before.questions.map((question) => question.id) : []);
  return now.questions.some((question) => !known.has(question.id)) ? 'question' : null;
}

/** The number of a question for the room: in a game that goes question by question, its place in the round of the quiz. */
export function numberIn(round: ScreenView['round'], number: number): number {
  return round?.section ? round.section.questionIndex + 1 : number;
}

/** The number of columns for choices. Long choices are listed below each other if there are few. */
export function columnsOf(choices: readonly string[], isNarrow: boolean): 1 | 2 | 4 {
  const longest = Math.max(0, ...choices.map((choice) => choice.length)) * (isNarrow ? 1.7 : 1);
  if (choices.length > 8 && longest <= 14) return 4;
  return longest <= 28 || choices.length > 6 ? 2 : 1;
}

/** The same rows in the order of the board before, newcomers last: the start of a movement. */
export function orderBefore(rows: readonly ScreenRow[]): ScreenRow[] {
  const place = (row: ScreenRow): number => row.previousRank ?? Infinity;
  return [...rows].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** The share of the players who have answered, 0 to 1. */
export function share(answered: number, players: number): number {
  return players === 0 ? 0 : Math.min(1, answered / players);
}
