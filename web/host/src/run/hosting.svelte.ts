// A running game: holds the connection, the host's choices on this page, and all values derived from both. Created by Running.svelte, read
// by everything below it. Sends nothing to the server by itself.

import { SvelteMap } from 'svelte/reactivity';

import { countsAs } from '$sdk/choices.ts';
import { type AnswerGroup, type Game, type HostApi, HostGame, type HostView, isOpen, type Marked, type Phase, type Results } from '$sdk';

import { countLeft, Desk, groupKey, groupsWith, isDoubtful, textsOf } from '../marking/desk.ts';
import { hasTexts, waitingOf } from '../marking/live.ts';
import { optionsOf } from '../start/options.ts';
import { type Ability, may, type RunBy } from './abilities.ts';
import { remember, remembered } from './device.ts';
import { clockOf, MORE } from './head/clock.ts';
import { countsOf, inTimeOf, leftOnPaper, onPaper, peopleOf, reviewOf, seatsOf } from './room.ts';
import { currentRound, neighbour, releasedLines, selectedLine, sheetOf } from './sheet.ts';
import { Showing } from './showing.svelte.ts';
import { Stepping } from './stepping.svelte.ts';

/** The most entries that one message can leave out of a tally. */
const MOST_HIDDEN = 200;

const NOTHING: ReadonlySet<string> = new Set();

const SOUND = 'quizhall.screen.sound';
const FINISH = 'quizhall.finish';
const SHEET = 'quizhall.run.sheet';

/** A game on the host's page. */
export class Hosting {
  readonly link: HostGame;
  readonly by: RunBy;
  /** The calls over HTTP of the user who runs the game here. */
  readonly api: HostApi;
  readonly #desk = new Desk();
  /** The effect of marks in flight on groups; null where it is uncertain. */
  readonly #coming = new SvelteMap<string, AnswerGroup['correct'] | null>();
  readonly #hidden = new SvelteMap<string, readonly string[]>();
  readonly #unsubscribe: () => void;

  /** The frozen quiz with its keys, and the questions that had been released when it was read. */
  game = $state.raw() as Game;
  view = $state.raw() as HostView;
  /** The question that the host has selected as the next one. */
  chosen = $state<string | null>(null);
  /** The players who were in the game when this page first saw the round closed; null in other phases. */
  #seenAtClose = $state.raw<ReadonlySet<string> | null>(null);
  /** Those of them who could answer the closed round: the game that was read since shows who came later. */
  readonly inTime = $derived.by(() => {
    const isRead = this.game.currentRound === this.round;
    return this.#seenAtClose && inTimeOf(this.#seenAtClose, isRead ? this.game.latecomers : []);
  });
  #sound = $state(remembered(SOUND) === 'on');
  #sheet = $state(remembered(SHEET) === 'open');
  /** The results over HTTP when the scores of a round came out; they contain how many players could answer. */
  results = $state.raw<Results | null>(null);

  readonly lines = $derived.by(() => sheetOf(this.game, this.view));
  readonly released = $derived(releasedLines(this.lines));
  readonly selected = $derived(selectedLine(this.lines, this.chosen));
  readonly round = $derived.by(() => currentRound(this.game, this.view));
  readonly rounds = $derived.by(() => this.view.round?.rounds ?? this.game.rounds.length);
  /** Whether each question is a round of its own, which is closed and revealed by itself. */
  readonly isByQuestion = $derived.by(() => optionsOf(this.game).pace === 'question');
  /** Whether several phones play as a team, so that teams are counted. */
  readonly hasTeams = $derived.by(() => optionsOf(this.game).teams !== null);
  readonly people = $derived(peopleOf(this.view));
  readonly counts = $derived(countsOf(this.view, this.people));
  /** The questions for which answers on paper can be entered now. */
  readonly paperLines = $derived.by(() => {
    const { phase } = this.view;
    return phase === 'question' || phase === 'round_review' ? this.released.filter(({ withdrawn }) => !withdrawn) : [];
  });
  /** The players without a phone, and how many of their answers are still to be entered. */
  readonly paperTeams = $derived(onPaper(this.view).length);
  readonly paperLeft = $derived(leftOnPaper(this.view, this.paperLines));
  /** The answers that are marked in this phase; null until all have arrived, and when the server groups them. */
  readonly review = $derived.by(() => (this.view.phase === 'round_review' ? reviewOf(this.view) : null));
  /** Answers to a withdrawn question are not marked. */
  readonly desk = $derived.by(() => {
    const lines = this.released.filter((line) => !line.withdrawn);
    if (this.review !== null) return this.#desk.of(lines, this.review);
    const { phase, reviewGroups } = this.view;
    return phase === 'round_review' && reviewGroups !== null ? this.#desk.ofGroups(lines, reviewGroups) : null;
  });
  /** Whether the texts that wait for a decision are open, while questions are. */
  checksOpen = $state(false);
  /** How often the marking desk was called to the first answer that waits. */
  checksCalled = $state(0);
  /** Whether texts arrive that the host can decide on. */
  readonly hasChecks = $derived.by(() => this.may('marks') && hasTexts(this.view));
  /** How many different answers the key may have misjudged, and the host has not decided on: the one count of what is left to check. */
  readonly leftToCheck = $derived.by(() => {
    if (this.view.phase === 'question') return waitingOf(this.view, [], NOTHING).filter(({ doubtful }) => doubtful).length;
    return (this.desk ?? []).reduce((sum, question) => sum + countLeft(question, this.isDecided), 0);
  });

  /** The round after which the host wants to end the game early; remembered on this device. */
  #finishing = $state.raw<string | null>(remembered(FINISH));
  readonly isFinishing = $derived.by(() => this.#finishing === this.#place);
  /** No round follows: the standings of this one are the end of the game. */
  readonly isLast = $derived.by(() => this.view.phase === 'ended' || this.isFinishing || this.round >= this.rounds);
  /** The phones get the points of the round only when the screen has shown them. */
  readonly isScreenFirst = $derived.by(() => this.game.phonesAfterScreen && this.view.standingsHeld);
  readonly showing = new Showing(() => {
    const { game, round, isLast, released, results, view } = this;
    const { phase, standingsHeld, board } = view;
    const isEarly = this.isFinishing;
    const step = isEarly ? null : view.step;
    return { game, round, isLast, isEarly, released, results, phase, standingsHeld, board, step };
  });

  readonly steps = new Stepping(this);

  /** The slide at which the screen began to show the tie-break; null when it shows none. */
  #tieSince = $state.raw<object | null>(null);
  /** Whether the screen shows the tie-break: from its beginning until the host turns away from it. */
  readonly showsTie = $derived.by(() => {
    const isThere = this.view.phase === 'leaderboard' && this.view.tieBreaks.length > 0;
    return isThere && this.#tieSince === this.showing.turned;
  });

  constructor(game: Game, token: string, by: RunBy, api: HostApi) {
    this.game = game;
    this.by = by;
    this.api = api;
    this.link = new HostGame({ gameCode: game.gameCode, token });
    let undone: Marked | null = null;
    let phase: Phase | null = null;
    this.#unsubscribe = this.link.subscribe((view) => {
      if (view.phase !== 'round_review') this.#seenAtClose = null;
      else if (phase !== 'round_review') this.#seenAtClose = seatsOf(view);
      phase = view.phase;
      this.view = view;
      if (isOpen(view.tieBreaks.at(-1)) && !this.showsTie) this.showTie(true);
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
    remember(SOUND, on ? 'on' : 'off');
  }

  /** Whether the questions of the round are shown as a list; remembered on this device. */
  get sheetOpen(): boolean {
    return this.#sheet;
  }

  set sheetOpen(isOpen: boolean) {
    this.#sheet = isOpen;
    remember(SHEET, isOpen ? 'open' : 'folded');
  }

  get #place(): string {
    return `${this.game.id}/${String(this.round)}`;
  }

  /** Whether the game can be made to end with this round: others would follow. */
  get canFinish(): boolean {
    const { phase } = this.view;
    return (phase === 'question' || phase === 'round_review' || phase === 'leaderboard') && this.round < this.rounds;
  }

  /** Makes this round the last one, with the podium at its end, or lets the game go on after it. */
  finish(isWanted: boolean): void {
    const slide = this.showing.shown?.slide;
    this.#finishing = isWanted ? this.#place : null;
    remember(FINISH, this.#finishing ?? '');
    if (isWanted && slide) this.showing.finishFrom(slide);
  }

  /** Whether the round can be ended although questions of it are still to come. */
  get canEndRound(): boolean {
    return this.view.phase === 'question' && this.released.length > 0 && this.selected !== null;
  }

  /** Shows or hides the tie-break in place of the slide. */
  showTie(isShown: boolean): void {
    this.#tieSince = isShown ? this.showing.turned : null;
    const slide = isShown ? ({ kind: 'tie_break' } as const) : this.showing.shown?.slide;
    if (slide) this.showing.choose(slide);
  }

  /** The next step has turned the screen away from the tie-break. */
  leaveTie(): void {
    this.#tieSince = null;
  }

  /** Whether a part of the page is for the user who runs the game here. */
  may(ability: Ability): boolean {
    return may(this.by, ability);
  }

  /** Whether a command of this name is in flight. */
  pending(command: string): boolean {
    return this.view.pending.some((name) => name === command || name.startsWith(`${command}:`));
  }

  /** The entries that the host leaves out of a question's tally. */
  hiddenIn(questionId: string): readonly string[] {
    return this.#hidden.get(questionId) ?? [];
  }

  /** Leaves an entry out of a question's tally, or includes it again, from the next showing on. */
  hide(questionId: string, answer: string, isHidden: boolean): void {
    const others = this.hiddenIn(questionId).filter((other) => other !== answer);
    this.#hidden.set(questionId, isHidden ? [...others, answer].slice(-MOST_HIDDEN) : others);
  }

  /** Selects the question before or after the selected one as the next; false when there is no choice. */
  pick(step: 1 | -1): boolean {
    if (this.view.phase !== 'question' || this.lines.length - this.released.length < 2) return false;
    this.chosen = neighbour(this.lines, this.selected?.id ?? null, step);
    return true;
  }

  /** Opens the answers that wait for a decision while questions are open; on the marking desk, the first of them. False when there is none. */
  openChecks(): boolean {
    this.steps.doubtAgain();
    if (this.view.phase === 'round_review' && this.leftToCheck > 0) {
      this.checksCalled += 1;
      return true;
    }
    this.checksOpen = this.view.phase === 'question' && this.hasChecks;
    return this.checksOpen;
  }

  /**
   * Marks all answers of these groups, with `half` as worth this many points; false when they already count this way. A near miss counts as
   * wrong before the host has said so: that decision is sent as well, since the server waits for it.
   */
  mark(questionId: string, groups: readonly AnswerGroup[], correct: boolean, half = 0): boolean {
    const coming = half > 0 ? 'partial' : correct;
    const isSo = (group: AnswerGroup): boolean =>
      this.#counts(questionId, group) === coming &&
      (half === 0 || group.partialPoints === half) &&
      (!isDoubtful(group) || this.isDecided(questionId, group));
    const changed = groups.filter((group) => !isSo(group));
    const texts = textsOf(changed);
    for (const { key } of changed) this.#coming.set(groupKey(questionId, key), coming);
    const alike = changed.some((group) => group.alike);
    return texts.length > 0 && this.link.markAnswers(questionId, texts, correct, { half: half > 0, alike });
  }

  /** Marks one answer of a group; false when it already counts this way. */
  markOne(questionId: string, group: AnswerGroup, playerId: string, correct: boolean): boolean {
    const isCertain = this.#counts(questionId, group) === group.correct;
    const answer = group.answers.find((one) => one.playerId === playerId);
    if (isCertain && answer && countsAs(answer, correct)) return false;
    this.#coming.set(groupKey(questionId, group.key), null);
    return this.link.overrideAnswer(playerId, questionId, correct);
  }

  /** Whether the host has decided how a group counts: on any device, or with a command on its way. */
  isDecided = (questionId: string, group: AnswerGroup): boolean =>
    group.ruled || (this.pending('mark_answers') && (this.#coming.get(groupKey(questionId, group.key)) ?? null) !== null);

  /** How a group counts, or will count after the commands in flight; null when that is uncertain. */
  #counts(questionId: string, group: AnswerGroup): AnswerGroup['correct'] | null {
    if (this.pending('undo_marking')) return null;
    if (!this.pending('mark_answers') && !this.pending('override_answer')) this.#coming.clear();
    const coming = this.#coming.get(groupKey(questionId, group.key));
    return coming === undefined ? group.correct : coming;
  }

  /** Answers touched by an undo, from any laptop, have to be checked again. */
  #takeBack(marked: Marked): void {
    const { questionId } = marked;
    const question = this.desk?.find(({ line }) => line.id === questionId);
    if (!question) return;
    for (const group of groupsWith(question, marked)) this.#coming.delete(groupKey(questionId, group.key));
  }

  /** Adds time to the timer in the head; false without one. */
  addTime(): boolean {
    const clock = clockOf(this.view);
    return clock?.kind === 'timer' && this.link.addTime(clock.time.questionId, MORE);
  }

  /** Pauses the timers, or lets them go on; false when there are none. */
  holdTimers(): boolean {
    return this.view.timers.some(({ running }) => !running) ? this.link.resumeTimers() : this.link.pauseTimers();
  }

  /** Closes the connection. */
  close(): void {
    this.#unsubscribe();
    this.link.close();
  }
}
