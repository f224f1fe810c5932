// One game being run: holds the connection, the host's choices on this page, and all that is derived from both.
// Made by Running.svelte, read by everything below it. Says nothing to the server by itself.

import { SvelteMap } from 'svelte/reactivity';

import { type AnswerGroup, type Game, HostGame, type HostView, type Marked, type Phase, type Results } from '$sdk';

import { Checked } from '../marking/checked.svelte.ts';
import { checkKey, Desk, groupsWith, leftToCheck, textsOf } from '../marking/desk.ts';
import { nextStep, offers, type Step } from './nextstep.ts';
import { countsOf, peopleOf, reviewOf, seatsOf } from './room.ts';
import type { Shown } from './screenview.ts';
import { type Given, givenIn } from './shares.ts';
import { currentRound, neighbour, releasedLines, selectedLine, sheetOf } from './sheet.ts';
import { afterQuestions, beginOf, endOf, slidesOf } from './wall.ts';

const SOUND = 'quizhall.screen.sound';
/** Where the screen stands, so that a reload of this page does not turn it back. */
const PLACE = 'quizhall.screen.place';

/** A game on the host's page. */
export class Hosting {
  readonly link: HostGame;
  readonly checked: Checked;
  readonly #desk = new Desk();
  /** What marks on their way will make of groups; null where that is not certain. */
  readonly #coming = new SvelteMap<string, boolean | null>();
  readonly #unsubscribe: () => void;

  /** The frozen quiz with its keys, and what was released when it was read. */
  game = $state.raw() as Game;
  view = $state.raw() as HostView;
  /** The question that the host has picked to be next. */
  chosen = $state<string | null>(null);
  /** Who was in the game when the round was closed; null when this page was not there. */
  inTime = $state.raw<ReadonlySet<string> | null>(null);
  #sound = $state(readSound());
  /** The round's results over HTTP, for a page that was not here during the review. */
  results = $state.raw<Results | null>(null);
  /** The slide of a sequence that the host has turned to. */
  #turned = $state.raw(readPlace());

  readonly lines = $derived.by(() => sheetOf(this.game, this.view));
  readonly released = $derived(releasedLines(this.lines));
  readonly selected = $derived(selectedLine(this.lines, this.chosen));
  readonly round = $derived.by(() => currentRound(this.game, this.view));
  readonly rounds = $derived.by(() => this.view.round?.rounds ?? this.game.rounds.length);
  readonly offered = $derived.by(() => nextStep(this.view, this.selected, { roundsLeft: this.rounds - this.round, endShown: this.hasShownEnd }));
  readonly people = $derived(peopleOf(this.view));
  readonly counts = $derived(countsOf(this.view, this.people));
  /** What is marked in this phase; null until it is all here. */
  readonly review = $derived.by(() => (this.view.phase === 'round_review' ? reviewOf(this.view) : null));
  readonly desk = $derived.by(() => (this.review === null ? null : this.#desk.of(this.released, this.review)));
  readonly leftToCheck = $derived.by(() =>
    (this.desk ?? []).reduce((sum, question) => sum + leftToCheck(question, this.checked.has).length, 0),
  );

  /** No round follows: the standings of this one are the end of the game. */
  readonly isLast = $derived.by(() => this.view.phase === 'ended' || this.round >= this.rounds);
  readonly #given = $derived.by((): readonly Given[] | null => {
    return reviewOf(this.view) ?? (this.results && givenIn(this.results, this.round));
  });
  readonly slides = $derived.by(() => {
    return slidesOf({ questions: this.released.length, board: this.view.board, isLast: this.isLast });
  });
  /** Which sequence this is: a game that ends early has another one than the round it ended in. */
  readonly #sequence = $derived.by(() => [this.game.id, this.round, this.isLast].join('/'));
  /** The slide that the screen shows. */
  readonly at = $derived.by(() => {
    const begin = beginOf(this.slides, this.view);
    const at = this.#turned.sequence === this.#sequence ? this.#turned.at : begin;
    return Math.min(this.view.phase === 'ended' ? Math.max(at, begin) : at, this.slides.length - 1);
  });
  readonly shown = $derived.by((): Shown | null => {
    const slide = this.slides[this.at];
    const isUp = this.view.phase === 'leaderboard' || this.view.phase === 'ended';
    return isUp && slide ? { slide, released: this.released, given: this.#given } : null;
  });
  /** Whether the screen has shown how the game ends. */
  readonly hasShownEnd = $derived.by(() => {
    const end = endOf(this.slides);
    return end !== null && this.at >= end;
  });
  /** Whether the next slide is the one that shows how the game ends. */
  readonly isBeforeEnd = $derived.by(() => this.at + 1 === endOf(this.slides));
  /** Whether the answers have to be read over HTTP to say how many were right. */
  readonly lacksAnswers = $derived.by(() => this.shown !== null && this.#given === null);

  constructor(game: Game, token: string) {
    this.game = game;
    this.checked = new Checked(game.id);
    this.link = new HostGame({ gameCode: game.gameCode, token });
    let undone: Marked | null = null;
    let phase: Phase | null = null;
    this.#unsubscribe = this.link.subscribe((view) => {
      if (phase === 'question' && view.phase === 'round_review') this.inTime = seatsOf(view);
      else if (view.phase !== 'round_review') this.inTime = null;
      phase = view.phase;
      this.view = view;
      if (view.undone !== null && view.undone !== undone) this.#takeBack(view.undone);
      undone = view.undone;
    });
  }

  /** Whether the screen shall sound; remembered on this device. */
  get sound(): boolean {
    return this.#sound;
  }

  set sound(on: boolean) {
    this.#sound = on;
    keep(SOUND, on ? 'on' : 'off');
  }

  /** Whether a command of this name is on its way. */
  pending(command: string): boolean {
    return this.view.pending.some((name) => name === command || name.startsWith(`${command}:`));
  }

  /** Picks the question before or after the one that is selected to come next. */
  pick(step: 1 | -1): void {
    this.chosen = neighbour(this.lines, this.selected?.id ?? null, step);
  }

  /** Turns the screen one slide on or back; stays at the ends. */
  turn(step: 1 | -1): void {
    this.#turnTo(this.at + step);
  }

  /** Turns the screen past the questions. */
  skipQuestions(): void {
    this.#turnTo(afterQuestions(this.slides));
  }

  #turnTo(at: number): void {
    if (this.shown === null || at < 0 || at >= this.slides.length) return;
    this.#turned = { sequence: this.#sequence, at };
    keep(PLACE, JSON.stringify(this.#turned));
  }

  /** Takes a step if it is on offer now. Without a connection none is, from a key as little as from its button. */
  take(step: Step): void {
    if (this.view.connection.state !== 'open' || !offers(this.offered, step)) return;
    if (step === 'start') this.link.startGame();
    if (step === 'release' && this.selected) this.link.releaseQuestion(this.selected.id);
    if (step === 'end_round') this.link.endRound();
    if (step === 'release_scores') this.#releaseScores();
    if (step === 'show_next') this.turn(1);
    if (step === 'next_round') this.link.startNextRound();
    if (step === 'end_game') this.link.endGame();
  }

  /** The end is the host's to show: after the last round the phones wait for the screen. */
  #releaseScores(): void {
    if (!this.isLast || !this.link.releaseOwnScores()) this.link.releaseScores();
  }

  /** Marks all answers of these groups; false when they count so already. */
  mark(questionId: string, groups: readonly AnswerGroup[], correct: boolean): boolean {
    const changed = groups.filter((group) => this.#counts(questionId, group) !== correct);
    const texts = textsOf(changed);
    for (const { key } of changed) this.#coming.set(checkKey(questionId, key), correct);
    return texts.length > 0 && this.link.markAnswers(questionId, texts, correct);
  }

  /** Marks one answer of a group; false when it counts so already. */
  markOne(questionId: string, group: AnswerGroup, playerId: string, correct: boolean): boolean {
    const isCertain = this.#counts(questionId, group) === group.correct;
    const answer = group.answers.find((one) => one.playerId === playerId);
    if (isCertain && answer?.correct === correct) return false;
    this.#coming.set(checkKey(questionId, group.key), null);
    return this.link.overrideAnswer(playerId, questionId, correct);
  }

  /** How a group counts, or will once what is on its way is in; null when that is not certain. */
  #counts(questionId: string, group: AnswerGroup): boolean | 'mixed' | null {
    if (this.pending('undo_marking')) return null;
    if (!this.pending('mark_answers') && !this.pending('override_answer')) this.#coming.clear();
    const coming = this.#coming.get(checkKey(questionId, group.key));
    return coming === undefined ? group.correct : coming;
  }

  /** What an undo touched, from whichever laptop, is to be checked again. */
  #takeBack({ questionId, playerIds }: Marked): void {
    const question = this.desk?.find(({ line }) => line.id === questionId);
    if (!question) return;
    for (const group of groupsWith(question, playerIds)) this.checked.delete(checkKey(questionId, group.key));
  }

  /** Lets go of the connection. */
  close(): void {
    this.#unsubscribe();
    this.link.close();
  }
}

function keep(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is closed to this page: it lasts as long as the page.
  }
}

function readSound(): boolean {
  try {
    return localStorage.getItem(SOUND) === 'on';
  } catch {
    return false;
  }
}

function readPlace(): { readonly sequence: string; readonly at: number } {
  try {
    const { sequence, at } = JSON.parse(localStorage.getItem(PLACE) ?? '{}') as Record<string, unknown>;
    if (typeof sequence === 'string' && Number.isInteger(at)) return { sequence, at: at as number };
  } catch {
    // Closed, or written by something else.
  }
  return { sequence: '', at: 0 };
}
