// The slides that the screen shows once the scores are out, and the host's place in them. It is remembered on this device, so that a reload
// does not turn the screen back. Created by Hosting for a live game, and by Over.svelte for one that was already over.

import type { Game, HostView, QuestionResults, Results, Slide as SentSlide, StepUpdate } from '$sdk';

import { optionsOf } from '../start/options.ts';
import { remember, remembered } from './device.ts';
import type { SheetLine } from './sheet.ts';
import { afterQuestions, beginOf, endOf, placeOfSlide, type Slide, slidesOf } from './wall.ts';

const PLACE = 'quizhall.screen.place';

/** The values from which the sequence is made. */
export interface Source extends Pick<HostView, 'phase' | 'standingsHeld' | 'board'> {
  readonly game: Game;
  /** The round, from 1. */
  readonly round: number;
  /** No round follows: the standings of this one are the end of the game. */
  readonly isLast: boolean;
  /** Whether the host made this round the last one, so that the page takes the steps up to the end. */
  readonly isEarly?: boolean;
  /** The questions of the round that were released, in order. */
  readonly released: readonly SheetLine[];
  /** The results; null until they have been read. */
  readonly results: Results | null;
  /** The next step, which follows the picture that is shown; null where the server does not state it. */
  readonly step: StepUpdate | null;
}

/** The host's slides after the release of the scores. */
export interface Shown {
  readonly slide: Slide;
  /** The questions of the round that were released, in order. */
  readonly released: readonly SheetLine[];
  /** The results of the questions of the round; null until they have been read. */
  readonly questions: readonly QuestionResults[] | null;
}

/** The host's place, and its sequence. */
interface Turned {
  readonly sequence: string;
  readonly at: number;
}

/** The sequence of slides, and the one that the screen shows. */
export class Showing {
  readonly #source: () => Source;
  #turned = $state.raw(readTurned());
  #choice = $state.raw<{ readonly slide: SentSlide } | null>(null);

  readonly source = $derived.by(() => this.#source());
  readonly #isOver = $derived.by(() => this.source.phase === 'ended');
  readonly slides = $derived.by(() => {
    const { released, board, isLast, isEarly = false } = this.source;
    return slidesOf({ questions: released.length, board, isLast, isEarly, isOver: this.#isOver });
  });
  /** The sequence's name: a game that ends early has another one than the round in which it ended, and one that is over another again. */
  readonly #name = $derived.by(() => {
    const { game, round, isLast } = this.source;
    return [game.id, round, isLast, ...(this.#isOver ? ['over'] : [])].join('/');
  });
  /**
   * Whether the server shows the answer, then the standings where they are due, without a step for each picture. After the last question the
   * places are steps, as after the last round.
   */
  readonly #isByQuestion = $derived.by(() => !this.#isOver && !this.source.isLast && optionsOf(this.source.game).pace === 'question');
  /** Whether the server chooses the picture: it does until the host turns to another one. */
  readonly isServers = $derived.by(() => this.#isByQuestion && this.#turned.sequence !== this.#name);
  /** The place of the screen. The end of the game leads to the podium; from there the host can turn both ways. */
  readonly at = $derived.by(() => {
    const stated = this.#stated();
    if (stated !== null) return this.#within(stated);
    const begin = beginOf(this.slides, this.source, this.#isByQuestion);
    const { sequence, at } = this.#turned;
    return this.#within(sequence === this.#name ? at : begin);
  });
  /** The pictures that follow. */
  readonly coming = $derived.by((): readonly Slide[] => {
    if (!this.#isByQuestion) return this.slides.slice(this.at + 1);
    return this.source.step?.step === 'show_standings' ? [{ kind: 'standings', at: 0 }] : [];
  });
  readonly shown = $derived.by((): Shown | null => {
    const { phase, round, released, results } = this.source;
    const slide = this.slides[this.at];
    const isUp = phase === 'leaderboard' || phase === 'ended';
    return isUp && slide ? { slide, released, questions: results?.rounds[round - 1]?.questions ?? null } : null;
  });
  /** Whether the results are needed to show how many were right. */
  readonly lacksResults = $derived.by(() => this.shown !== null && this.shown.questions === null);
  /** Whether the screen has shown the end of the game. */
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
  /** Whether the next slide shows the end of the game. */
  readonly isBeforeEnd = $derived.by(() => this.at + 1 === endOf(this.slides));

  constructor(source: () => Source) {
    this.#source = source;
  }

  /** Changes with each turn. */
  get turned(): object {
    return this.#turned;
  }

  /** The last picture that the host chose by hand on this page; null before. */
  get choice(): { readonly slide: SentSlide } | null {
    return this.#choice;
  }

  /** Chooses a picture by hand. */
  choose(slide: SentSlide): void {
    this.#choice = { slide };
  }

  /** Turns the screen one slide forward or back; stops at the ends. */
  turn(step: 1 | -1): void {
    this.#turnTo(this.at + step);
  }

  /** Turns the screen past the questions. */
  skipQuestions(): void {
    this.#turnTo(afterQuestions(this.slides));
  }

  /** Begins at this slide, if there is one: the screen shows it already. */
  goTo(at: number): void {
    this.#keep(at);
  }

  /** The host makes this round the last one: the screen stays at a question, and turns from the standings or the next round to the empty podium. */
  finishFrom(slide: Slide): void {
    if (slide.kind === 'question') this.#keep(slide.at);
    else this.#turnTo(afterQuestions(this.slides));
  }

  #turnTo(at: number): void {
    const slide = this.slides[at];
    if (slide && this.#keep(at)) this.choose(slide);
  }

  /** The place of the picture before the next one; null where the server does not say that one comes, or that none does. */
  #stated(): number | null {
    const { step, phase } = this.source;
    if (phase !== 'leaderboard' || step === null || this.#isByQuestion) return null;
    if (step.step === 'start_next_round' || step.step === 'end_game') return this.slides.length - 1;
    const next = step.step === 'show' && step.slide ? placeOfSlide(this.slides, step.slide) : -1;
    return next < 0 ? null : Math.max(0, next - 1);
  }

  #keep(at: number): boolean {
    if (this.shown === null || at < 0 || at >= this.slides.length) return false;
    this.#turned = { sequence: this.#name, at };
    remember(PLACE, JSON.stringify(this.#turned));
    return true;
  }

  #within(at: number): number {
    return Math.min(at, this.slides.length - 1);
  }
}

function readTurned(): Turned {
  try {
    const { sequence, at } = JSON.parse(remembered(PLACE) ?? '{}') as Record<string, unknown>;
    if (typeof sequence === 'string' && Number.isInteger(at)) return { sequence, at: at as number };
  } catch {
    // Written by other software.
  }
  return { sequence: '', at: 0 };
}
