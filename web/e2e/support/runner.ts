// A host without a page: it takes the steps of a game over a socket from Node, for tests in which nothing is looked at on the host's
// page. Opening such a page and clicking in it costs more than all of this.

import { WebSocket } from 'ws';

import type { GameOptions } from '../../sdk/src/game.ts';
import type { StepUpdate } from '../../sdk/src/generated/protocol.ts';
import { HostGame } from '../../sdk/src/host.ts';
import type { HostView } from '../../sdk/src/view.ts';

/** As long as pages are waited for. */
const WITHIN_MS = 20_000;

/** The host of one game. */
export class Runner {
  /** For commands that have no method here. */
  readonly link: HostGame;

  private constructor(link: HostGame) {
    this.link = link;
  }

  /** Connects as the host with this token, and waits for the first messages. */
  static async at(url: string, gameCode: string, token: string): Promise<Runner> {
    // After a lost connection the pauses are the shortest, as on the pages.
    const platform: GameOptions['platform'] = { openSocket: (address, protocol) => opened(address, protocol, url), random: () => 0.05 };
    const runner = new Runner(new HostGame({ gameCode, token }, { base: url, platform }));
    await runner.sees('the game', ({ step }) => step !== null);
    return runner;
  }

  /** What the host knows now. */
  get view(): HostView {
    return this.link.view;
  }

  /** Waits until the host knows this. */
  async sees(what: string, isThere: (view: HostView) => boolean): Promise<HostView> {
    const isKnown = (): boolean => this.view.connection.state === 'open' && isThere(this.view);
    if (isKnown()) return this.view;
    await new Promise<void>((done, fail) => {
      const late = setTimeout(() => fail(new Error(`the host does not see ${what}`)), WITHIN_MS);
      const stop = this.link.subscribe(() => {
        if (!isKnown()) return;
        clearTimeout(late);
        stop();
        done();
      });
    });
    return this.view;
  }

  /** Takes the next step, which has to be this one, and waits for its effect. */
  async step(step: StepUpdate['step']): Promise<void> {
    const { step: next } = await this.sees(step, (view) => view.step?.step === step);
    const number = next?.number ?? 0;
    this.link.next(number);
    await this.sees(`the step after ${step}`, (view) => view.step !== null && view.step.number > number);
  }

  async start(): Promise<void> {
    await this.step('start_game');
  }

  /** Releases the next `count` questions of the round. */
  async release(count = 1): Promise<void> {
    for (let each = 0; each < count; each += 1) await this.step('release_question');
  }

  /** Ends the round, early when questions of it are left. */
  async endRound(): Promise<void> {
    this.link.endRound();
    await this.sees('the end of the round', ({ phase }) => phase === 'round_review');
  }

  async releaseScores(): Promise<void> {
    await this.step('release_scores');
  }

  /** Shows all that is left to show, up to the standings. */
  async showAll(): Promise<void> {
    const isLeft = (view: HostView) => view.step?.step === 'show' || view.step?.step === 'show_standings';
    while (isLeft(this.view)) await this.step(this.view.step?.step ?? 'none');
  }

  /** Goes through what is left to show, and starts the next round. */
  async nextRound(): Promise<void> {
    await this.showAll();
    await this.step('start_next_round');
  }

  /** Goes through what is left to show, and ends the game. */
  async endGame(): Promise<void> {
    await this.showAll();
    this.link.endGame();
    await this.sees('the end', ({ phase }) => phase === 'ended');
  }

  /** Gives a question that is open this time, by its place in the round. */
  setTime(seconds: number, number: number): void {
    this.link.setTimer(this.question(number), seconds);
  }

  /** Shows the answer to a question, by its place in the round. */
  reveal(number: number): void {
    this.link.revealAnswer(this.question(number));
  }

  /** The id of a question that was asked, by its place in the round. */
  question(number: number): string {
    const asked = this.view.questions.find((each) => each.number === number);
    if (!asked) throw new Error(`question ${String(number)} was not asked`);
    return asked.question.id;
  }

  /** How many have answered a question, by its place in the round. */
  async counts(number: number, answers: number): Promise<void> {
    await this.sees(`${String(answers)} answers`, ({ questions }) => questions.some((each) => each.number === number && each.answerCount === answers));
  }

  /** The id of a player, by name. */
  async player(name: string): Promise<string> {
    const { room } = await this.sees(name, (view) => view.room.some(({ displayName }) => displayName === name));
    return room.find(({ displayName }) => displayName === name)?.id ?? '';
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.link.close();
    return Promise.resolve();
  }
}

/** The server gives the reason of a refusal only to those who name their origin. A failed attempt is reported by its close. */
function opened(address: string, protocol: string, origin: string): WebSocket {
  return new WebSocket(address, [protocol], { origin }).on('error', () => undefined);
}
