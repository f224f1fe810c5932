// One game being run: holds the connection, the host's choices on this page, and all that is derived from both.
// Made by Running.svelte, read by everything below it. Says nothing to the server by itself.

import { type Game, HostGame, type HostView } from '$sdk';

import { Desk, leftToLookAt } from '../marking/desk.ts';
import { Looked } from '../marking/looked.svelte.ts';
import { nextStep, offers, type Step } from './nextstep.ts';
import { countsOf, peopleOf, reviewOf } from './room.ts';
import { currentRound, neighbour, releasedLines, selectedLine, sheetOf } from './sheet.ts';

const SOUND = 'quizhall.screen.sound';

/** A game on the host's page. */
export class Hosting {
  readonly link: HostGame;
  readonly looked: Looked;
  readonly #desk = new Desk();
  readonly #unsubscribe: () => void;

  /** The frozen quiz with its keys, and what was released when it was read. */
  game = $state.raw() as Game;
  view = $state.raw() as HostView;
  /** The question that the host has picked to be next. */
  chosen = $state<string | null>(null);
  #sound = $state(readSound());

  readonly lines = $derived.by(() => sheetOf(this.game, this.view));
  readonly released = $derived(releasedLines(this.lines));
  readonly selected = $derived(selectedLine(this.lines, this.chosen));
  readonly round = $derived.by(() => currentRound(this.game, this.view));
  readonly rounds = $derived.by(() => this.view.round?.rounds ?? this.game.rounds.length);
  readonly offered = $derived(nextStep(this.view, this.selected, this.rounds - this.round));
  readonly people = $derived(peopleOf(this.view));
  readonly counts = $derived(countsOf(this.view, this.people));
  /** What is marked in this phase; null until it is all here. */
  readonly review = $derived.by(() => (this.view.phase === 'round_review' ? reviewOf(this.view) : null));
  readonly desk = $derived.by(() => (this.review === null ? null : this.#desk.of(this.released, this.review)));
  readonly leftToLookAt = $derived.by(() =>
    (this.desk ?? []).reduce((sum, question) => sum + leftToLookAt(question, this.looked.has).length, 0),
  );

  constructor(game: Game, token: string) {
    this.game = game;
    this.looked = new Looked(game.id);
    this.link = new HostGame({ gameCode: game.gameCode, token });
    this.#unsubscribe = this.link.subscribe((view) => {
      this.view = view;
    });
  }

  /** Whether the screen shall sound; remembered on this device. */
  get sound(): boolean {
    return this.#sound;
  }

  set sound(on: boolean) {
    this.#sound = on;
    try {
      localStorage.setItem(SOUND, on ? 'on' : 'off');
    } catch {
      // Storage is closed to this page: the choice lasts as long as the page.
    }
  }

  /** Whether a command of this name is on its way. */
  pending(command: string): boolean {
    return this.view.pending.some((name) => name === command || name.startsWith(`${command}:`));
  }

  /** Picks the question before or after the one that is selected to come next. */
  pick(step: 1 | -1): void {
    this.chosen = neighbour(this.lines, this.selected?.id ?? null, step);
  }

  /** Takes a step if it is on offer now. Without a connection none is, from a key as little as from its button. */
  take(step: Step): void {
    if (this.view.connection.state !== 'open' || !offers(this.offered, step)) return;
    if (step === 'start') this.link.startGame();
    if (step === 'release' && this.selected) this.link.releaseQuestion(this.selected.id);
    if (step === 'end_round') this.link.endRound();
    if (step === 'release_scores') this.link.releaseScores();
    if (step === 'next_round') this.link.startNextRound();
    if (step === 'end_game') this.link.endGame();
  }

  /** Whether marks are on their way, so that what is shown is not what will be. */
  get isMarking(): boolean {
    return ['mark_answers', 'override_answer', 'undo_marking'].some((command) => this.pending(command));
  }

  /** Marks all answers with these exact texts. */
  mark(questionId: string, texts: readonly string[], correct: boolean): void {
    if (texts.length > 0) this.link.markAnswers(questionId, texts, correct);
  }

  /** Lets go of the connection. */
  close(): void {
    this.#unsubscribe();
    this.link.close();
  }
}

function readSound(): boolean {
  try {
    return localStorage.getItem(SOUND) === 'on';
  } catch {
    return false;
  }
}
