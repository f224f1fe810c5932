// The slides that the screen shows once the scores are out: each question with its answer, then the standings or, after the last round, the
// podium from the lowest place up. Pure; the host turns the slides in Hosting, and the server makes the picture of each (crates/engine,
// wire/slides.rs).

import type { BoardRow, HostView, Slide as SentSlide } from '$sdk';

import type { ScreenPlace } from '../../../screen/src/view.ts';
import { stepsOf } from './podium.ts';

/** One picture of the sequence. */
export type Slide =
  /** The question, or the page of the standings, from 0; for the podium, how many of its places, from the last one up. */
  | { readonly kind: 'question' | 'standings' | 'podium'; readonly at: number }
  | { readonly kind: 'winner' };

/** The values from which the sequence is made. */
export interface Played {
  /** How many questions of the round were released. */
  readonly questions: number;
  readonly board: readonly BoardRow[];
  /** The final standings, which are not shown before the podium. */
  readonly isLast: boolean;
  /** Whether the game is over. */
  readonly isOver?: boolean;
  /** Whether the host ends the game before its last round: the screen may show the standings already, and turns to an empty podium first. */
  readonly isEarly?: boolean;
}

/** The number of rows of a page of the standings. */
export const PAGE = 10;

/** Ranks one to three with their players, best first. A shared rank leaves out the next one. Players without points have no place. */
export function placesOf(board: readonly BoardRow[]): ScreenPlace[] {
  return stepsOf(board).map(({ rank, rows }) => {
    const names = rows.map(({ playerId, displayName }) => ({ playerId, displayName }));
    return { rank, score: rows[0]?.score ?? 0, names };
  });
}

/**
 * The sequence. Between rounds the standings are shown from the lowest place up, so that the leaders are last; at the end they follow the
 * winner. The whole podium is there once the game is over, which shows it.
 */
export function slidesOf({ questions, board, isLast, isOver = false, isEarly = false }: Played): Slide[] {
  const asked = Array.from({ length: questions }, (_, at): Slide => ({ kind: 'question', at }));
  const pages = Array.from({ length: Math.ceil(board.length / PAGE) }, (_, at): Slide => ({ kind: 'standings', at }));
  if (!isLast) return [...asked, ...pages.reverse()];
  const places = placesOf(board).length;
  if (places === 0) return [...asked, { kind: 'podium', at: 0 }, ...pages];
  const podium = Array.from({ length: places + 1 }, (_, at): Slide => ({ kind: 'podium', at }));
  return [...asked, ...podium.slice(isEarly ? 0 : 1, -1), { kind: 'winner' }, ...(isOver ? podium.slice(-1) : []), ...pages];
}

/** The first slide that reveals the end: the winner, or the thanks where no player has points. Null between rounds. */
export function endOf(slides: readonly Slide[]): number | null {
  const winner = slides.findIndex((slide) => slide.kind === 'winner');
  if (winner >= 0) return winner;
  const thanks = slides.findIndex((slide) => slide.kind === 'podium');
  return thanks >= 0 ? thanks : null;
}

/** The target of "skip" from a question: the top of the standings, or the first picture of the end. */
export function afterQuestions(slides: readonly Slide[]): number {
  if (endOf(slides) !== null) return slides.findIndex((slide) => slide.kind !== 'question');
  const top = slides.findIndex((slide) => slide.kind === 'standings' && slide.at === 0);
  return top >= 0 ? top : slides.length - 1;
}

/** The start of the sequence in this view when no place is remembered: the picture that the server shows by itself. */
export function beginOf(slides: readonly Slide[], view: Pick<HostView, 'phase' | 'standingsHeld'>, isByQuestion = false): number {
  const end = endOf(slides);
  if (end === null) return isByQuestion && !view.standingsHeld ? afterQuestions(slides) : 0;
  if (view.phase === 'ended') return podiumAt(slides);
  return view.standingsHeld ? 0 : end;
}

/** The place of the picture that the server names; -1 when the sequence has none like it. */
export function placeOfSlide(slides: readonly Slide[], sent: SentSlide): number {
  return slides.findIndex((slide) => slide.kind === sent.kind && ('at' in slide ? slide.at : 0) === (sent.at ?? 0));
}

/** The whole podium. */
function podiumAt(slides: readonly Slide[]): number {
  return slides.findLastIndex((slide) => slide.kind === 'podium');
}
