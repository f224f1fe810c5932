// What the screen shows step by step once the scores are out, and where in it the host is; remembered on this device, so that
// a reload does not turn the screen back. Made by Hosting for a live game and by Over.svelte for one that was over before.

import type { Game, HostView, QuestionResults, Results } from '$sdk';

import { remember, remembered } from './device.ts';
import type { SheetLine } from './sheet.ts';
import { afterQuestions, beginOf, endOf, type Slide, slidesOf } from './wall.ts';

const PLACE = 'quizhall.screen.place';

/** What the sequence is made of. */
export interface Source extends Pick<HostView, 'phase' | 'standingsHeld' | 'board'> {
  readonly game: Game;
  /** From 1. */
  readonly round: number;
  /** No round follows: the standings of this one are the end of the game. */
  readonly isLast: boolean;
  /** The questions of the round that were released, in order. */
  readonly released: readonly SheetLine[];
  /** Null until they are read. */
  readonly results: Results | null;
}

/** What the host shows after the scores are out. */
export interface Shown {
  readonly slide: Slide;
  /** The questions of the round that were released, in order. */
  readonly released: readonly SheetLine[];
  /** What came of the questions of the round; null until it is read. */
  readonly questions: readonly QuestionResults[] | null;
}

/** Where the host has turned to, in which sequence. */
interface Turned {
  readonly sequence: string;
  readonly at: number;
}

/** The sequence of slides, and the one that the screen shows. */
export class Showing {
  readonly #source: () => Source;
  #turned = $state.raw(readTurned());

  readonly source = $derived.by(() => this.#source());
  readonly slides = $derived.by(() => {
    const { released, board, isLast } = this.source;
    return slidesOf({ questions: released.length, board, isLast });
  });
  /** A game that ends early has another sequence than the round it ended in. */
  readonly #sequence = $derived.by(() => [this.source.game.id, this.source.round, this.source.isLast].join('/'));
  readonly #isOver = $derived.by(() => this.source.phase === 'ended');
  /** Where the screen is. The end of the game leads to the podium at least; from there the host turns both ways. */
  readonly at = $derived.by(() => {
    const begin = beginOf(this.slides, this.source);
    const { sequence, at } = this.#turned;
    if (this.#isOver && sequence === overOf(this.#sequence)) return this.#within(at);
    if (sequence !== this.#sequence) return this.#within(begin);
    return this.#within(this.#isOver ? Math.max(at, begin) : at);
  });
  readonly shown = $derived.by((): Shown | null => {
    const { phase, round, released, results } = this.source;
    const slide = this.slides[this.at];
    const isUp = phase === 'leaderboard' || phase === 'ended';
    return isUp && slide ? { slide, released, questions: results?.rounds[round - 1]?.questions ?? null } : null;
  });
  /** Whether the results have to be read to say how many were right. */
  readonly lacksResults = $derived.by(() => this.shown !== null && this.shown.questions === null);
  /** Whether the screen has shown how the game ends. */
  readonly hasShownEnd = $derived.by(() => {
    const end = endOf(this.slides);
    return end !== null && this.at >= end;
  });
  /** Whether the screen has shown the standings of the round; after the last one, how the game ends. */
  readonly hasShownBoard = $derived.by(() => {
    if (endOf(this.slides) !== null) return this.hasShownEnd;
    const first = this.slides.findIndex((slide) => slide.kind !== 'question');
    return first >= 0 && this.at >= first;
  });
  /** Whether the next slide is the one that shows how the game ends. */
  readonly isBeforeEnd = $derived.by(() => this.at + 1 === endOf(this.slides));

  constructor(source: () => Source) {
    this.#source = source;
  }

  /** Another one with each turn. */
  get turned(): object {
    return this.#turned;
  }

  /** Turns the screen one slide on or back; stays at the ends. */
  turn(step: 1 | -1): void {
    this.#turnTo(this.at + step);
  }

  /** Turns the screen past the questions. */
  skipQuestions(): void {
    this.#turnTo(afterQuestions(this.slides));
  }

  /** Turns the screen to this slide, if there is one. */
  goTo(at: number): void {
    this.#turnTo(at);
  }

  #turnTo(at: number): void {
    if (this.shown === null || at < 0 || at >= this.slides.length) return;
    this.#turned = { sequence: this.#isOver ? overOf(this.#sequence) : this.#sequence, at };
    remember(PLACE, JSON.stringify(this.#turned));
  }

  #within(at: number): number {
    return Math.min(at, this.slides.length - 1);
  }
}

/** The sequence's name once the game is over. */
const overOf = (sequence: string): string => `${sequence}/over`;

function readTurned(): Turned {
  try {
    const { sequence, at } = JSON.parse(remembered(PLACE) ?? '{}') as Record<string, unknown>;
    if (typeof sequence === 'string' && Number.isInteger(at)) return { sequence, at: at as number };
  } catch {
    // Written by something else.
  }
  return { sequence: '', at: 0 };
}
