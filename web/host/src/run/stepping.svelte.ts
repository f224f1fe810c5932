// Takes the steps of a live game: the one next step, and the ways around it that ask first. Created by Hosting; no other
// module sends the commands of steps.

import type { StepUpdate } from '$sdk';

import { optionsOf } from '../start/options.ts';
import type { Hosting } from './hosting.svelte.ts';
import { finishOf, type StepName } from './step.ts';

/** Presses within this time count as one: a double click, a remote that repeats. */
const HASTE = 400;

/** What is asked before it is done: the end of the game, or going on before the standings were shown. */
export type Asked = 'end_game' | 'leave';

/** What the button itself asks about once: texts that no one has checked would count as wrong, or there is no one to play. */
export type Doubt = 'unchecked' | 'empty';

/** The commands of the steps, for "working…". */
const COMMANDS = ['next', 'release_question', 'release_scores', 'release_own_scores', 'show_standings', 'start_next_round', 'end_game'];

/** The steps of one game. */
export class Stepping {
  readonly #hosting: Hosting;
  #at = -HASTE;
  /** The question that the page asks before a step. */
  asked = $state<Asked | null>(null);
  /** Whether a screen or a spectator watches; null until that is known. */
  watched = $state<boolean | null>(null);
  /** The doubt that the button has asked about, as `#doubted` names it; any change of it asks again. */
  #questioned = $state('');
  /** How many unchecked texts of which round the host has accepted as wrong. */
  #accepted = $state.raw({ round: 0, count: 0 });

  /** The next step; null while it is unknown. */
  readonly state = $derived.by((): StepUpdate | null => {
    const { view, isFinishing, showing } = this.#hosting;
    if (!isFinishing || view.phase !== 'leaderboard' || view.step?.step === 'end_tie_break') return view.step;
    return finishOf(view, { watched: this.watched, slide: showing.slides[showing.at + 1] });
  });
  /** The question that the step asks: the one that the host picked, or the first. */
  readonly asks = $derived.by(() => (this.state?.step === 'release_question' ? this.#hosting.selected : null));
  /** Whether the host picked another question than the one whose turn it is. */
  readonly isPicked = $derived.by(() => this.asks !== null && this.asks.id !== this.state?.questionId);
  readonly isBusy = $derived.by(() => COMMANDS.some((command) => this.#hosting.pending(command)));
  /** Whether there is a step that can be taken now. Without a connection there is none. */
  readonly isReady = $derived.by(() => {
    const isThere = this.state !== null && this.state.step !== 'none';
    return isThere && this.#hosting.may('steps') && this.#hosting.view.connection.state === 'open';
  });

  /** Whether the question that the host closes still takes answers on their way: the step stays until it has closed. */
  readonly isClosing = $derived.by(() => {
    const { state } = this;
    return state?.step === 'close_question' && this.#hosting.pending(`next:${String(state.number)}`);
  });
  /** How many texts the step would leave unchecked: after it they count as wrong. */
  readonly unchecked = $derived.by(() => {
    const { view, desk, leftToCheck, game } = this.#hosting;
    const step = this.state;
    if ((step?.step !== 'reveal_answer' && step?.step !== 'release_scores') || optionsOf(game).markLater) return 0;
    const isComing = view.phase === 'round_review' && desk === null;
    return isComing && step.waitsFor?.reason === 'marking' ? step.waitsFor.count : leftToCheck;
  });
  /** What speaks against the step. */
  readonly #doubt = $derived.by((): Doubt | null => {
    const { counts, round } = this.#hosting;
    if (this.state?.step === 'start_game') return counts.all === 0 ? 'empty' : null;
    const { count } = this.#accepted.round === round ? this.#accepted : { count: 0 };
    return this.unchecked > count ? 'unchecked' : null;
  });
  readonly #doubted = $derived.by(() => [this.#hosting.round, this.state?.step, this.#doubt, this.unchecked].join('/'));
  /** What the button asks now, before it takes the step. */
  readonly doubt = $derived.by(() => (this.#questioned === this.#doubted ? this.#doubt : null));

  /** Whether the screen is at an answer, from where it can be led to the standings at once. */
  readonly canSkip = $derived.by(() => {
    const { view, showing } = this.#hosting;
    return view.phase === 'leaderboard' && this.watched === true && showing.shown?.slide.kind === 'question';
  });
  /** Whether the next round can begin although the screen has pictures left. */
  readonly canLeave = $derived.by(() => {
    const { view, showing, isLast } = this.#hosting;
    return view.phase === 'leaderboard' && this.watched === true && !isLast && showing.at + 1 < showing.slides.length;
  });

  constructor(hosting: Hosting) {
    this.#hosting = hosting;
  }

  /** Takes the next step; the end of the game and what speaks against the step are asked about first. `isAimed`: the button itself was pressed. */
  next(isAimed = false): void {
    const now = performance.now();
    const isHasty = now - this.#at < HASTE;
    this.#at = now;
    if (isHasty) return;
    if (this.#hosting.view.phase === 'ended') this.turn(1);
    if (!this.isReady || this.state === null || this.isClosing || !this.#isSure(isAimed)) return;
    if (this.state.step === 'end_game') this.asked = 'end_game';
    else if (!this.#takeByNumber(this.state)) this.#take(this.state);
  }

  /** Whether nothing speaks against the step, or the host has been asked. An empty lobby is not left by a key that was meant for something else. */
  #isSure(isAimed: boolean): boolean {
    if (this.#doubt === null) return true;
    const isAsked = this.doubt !== null;
    this.#questioned = this.#doubted;
    if (!isAsked || (this.#doubt === 'empty' && !isAimed)) return false;
    this.#accepted = { round: this.#hosting.round, count: this.unchecked };
    return true;
  }

  /** The host goes to the marking: the step asks again. */
  doubtAgain(): void {
    this.#questioned = '';
  }

  /** Does what was asked about. */
  confirm(): void {
    const now = performance.now();
    if (now - this.#at < HASTE || this.asked === null || !this.isReady) return;
    this.#at = now;
    const { link } = this.#hosting;
    this.#releaseHeld();
    if (this.asked === 'end_game') link.endGame();
    if (this.asked === 'leave') link.startNextRound();
    this.asked = null;
  }

  /** Starts the next round; asks first when the screen has not shown the standings. */
  leave(): void {
    this.asked = 'leave';
    if (this.#hosting.showing.hasShownBoard || this.watched === false) this.confirm();
  }

  /** Turns the screen one picture on or back; false when there is none to turn to. */
  turn(step: 1 | -1): boolean {
    const { showing, view } = this.#hosting;
    if (showing.shown === null || this.watched !== true || showing.slides[showing.at + step] === undefined) return false;
    if (step === 1 && view.phase === 'leaderboard') this.next();
    else showing.turn(step);
    return true;
  }

  /** Leads the screen to the standings, or shows them on the phones where no screen does; false when there are none to show. */
  showBoard(): boolean {
    const { showing, view, link, isLast } = this.#hosting;
    if (view.phase !== 'leaderboard' || view.connection.state !== 'open' || this.state?.step === 'end_tie_break') return false;
    if (this.watched !== true) return view.standingsHeld && link.showStandings();
    if (showing.shown?.slide.kind === 'question') showing.skipQuestions();
    if (view.standingsHeld && !isLast) link.showStandings();
    return true;
  }

  /** Shows the answer where that is the next step. */
  reveal(): boolean {
    return this.#takeIf('reveal_answer');
  }

  /** Closes the question where that is the next step. */
  closeQuestion(): boolean {
    return this.#takeIf('close_question');
  }

  #takeIf(step: StepName): boolean {
    if (this.state?.step !== step) return false;
    this.next();
    return true;
  }

  /** Takes a step that the server states; false for one that the host chose, which has a command of its own. */
  #takeByNumber({ number, step }: StepUpdate): boolean {
    const { link, isFinishing } = this.#hosting;
    const isOwn = this.isPicked || (isFinishing && step === 'release_scores');
    if (number === 0 || isOwn) return false;
    link.next(number);
    if (step === 'show') this.#hosting.leaveTie();
    return true;
  }

  /** Takes a step by a command of its own. The phones get the end of the game only from the screen, where the host shows it. */
  #take({ step }: StepUpdate): void {
    const { link, selected, showing } = this.#hosting;
    if (step === 'release_question' && selected) link.releaseQuestion(selected.id);
    if (step === 'release_scores' && !link.releaseOwnScores()) link.releaseScores();
    if (step === 'show') showing.turn(1);
    if (step === 'show_standings') link.showStandings();
  }

  /** Phones that are still waiting receive the scores of this round before the next one begins. */
  #releaseHeld(): void {
    const { game, view, link } = this.#hosting;
    if (game.phonesAfterScreen && view.standingsHeld) link.showStandings();
  }
}
