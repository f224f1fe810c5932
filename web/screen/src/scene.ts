// Which scene a picture is, what it sounds like, and how large names may be. Pure; the components draw what this says.

import type { ScreenRow, ScreenShow, ScreenView } from './view.ts';

/** The scenes of a game. */
export type Scene = 'waiting' | 'break' | 'tie' | 'lobby' | 'round' | 'questions' | 'marking' | 'tally' | 'answer' | 'board' | 'next' | 'podium' | 'winner';

/** A short sound for a moment of the game. */
export type Cue = 'question' | 'end' | 'podium';

/** The scene of a picture; without one, the screen waits for its host page. */
export function sceneOf(view: ScreenView | null): Scene {
  if (!view) return 'waiting';
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

/** Whether a picture gives the end away. */
function showsEnd(view: ScreenView): boolean {
  return view.show?.kind === 'winner' || (view.show?.kind === 'podium' && view.show.whole);
}

/** What a change sounds like. A first picture is silent: a reload is no event in the room. */
export function cueOf(before: ScreenView | null, now: ScreenView): Cue | null {
  if (!now.sound || !before) return null;
  if (now.phase === 'leaderboard' || now.phase === 'ended') return showsEnd(now) && !showsEnd(before) ? 'podium' : null;
  if (now.phase === 'round_review') return before.phase === 'round_review' ? null : 'end';
  if (now.phase !== 'question') return null;
  const known = new Set(before.phase === 'question' ? before.questions.map((question) => question.id) : []);
  return now.questions.some((question) => !known.has(question.id)) ? 'question' : null;
}

/** The largest and the smallest that a name on the podium is, in units of the stage. */
const LARGEST = 9;
const SMALLEST = 2.6;

/** How large names may be to stand above each other in a box of this width and height, all in units of the stage. */
export function nameSize(names: readonly string[], wide: number, high: number): number {
  const room = (size: number): number => {
    const lines = names.map((name) => Math.ceil(([...name].length * EM * size) / wide));
    return lines.reduce((sum, each) => sum + each * LINE + BETWEEN, 0) * size;
  };
  let size = LARGEST;
  while (size > SMALLEST && room(size) > high) size -= 0.2;
  return Math.round(size * 10) / 10;
}

/** The size of each word of a word cloud, by its count, between once and four times the least. */
export function cloudSizes(counts: readonly number[]): number[] {
  const most = Math.max(1, ...counts);
  return counts.map((count) => Math.round((1 + 3 * Math.sqrt(count / most)) * 10) / 10);
}

/** A letter's usual width, a line's height and the gap between two names, as parts of the size. */
const EM = 0.68;
const LINE = 1.1;
const BETWEEN = 0.2;

/** The same rows in the order of the board before, newcomers last: where a movement starts. */
export function orderBefore(rows: readonly ScreenRow[]): ScreenRow[] {
  const place = (row: ScreenRow): number => row.previousRank ?? Infinity;
  return [...rows].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

/** How much of the room has answered, 0 to 1. */
export function share(answered: number, players: number): number {
  return players === 0 ? 0 : Math.min(1, answered / players);
}
