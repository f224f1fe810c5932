// The steps of a running game, as the host takes them by the one button or by Space, and what the host chooses between them. Only this file
// knows how the page shows them; host.ts has the rest of the laptop.

import { expect, type Locator, type Page } from '@playwright/test';

type Step =
  | 'start_game' | 'release_question' | 'close_question' | 'end_round' | 'reveal_answer'
  | 'release_scores' | 'show' | 'show_standings' | 'start_next_round' | 'end_game';

/** Presses of a step within this time are one. */
export const HASTE_MS = 500;

/** The run page of a game, from its lobby to its end. */
export class Steps {
  readonly page: Page;

  protected constructor(page: Page) {
    this.page = page;
  }

  /** The run page has its sync messages. */
  async isConnected(): Promise<void> {
    await expect(this.page.locator('[data-step] button').first()).toBeEnabled();
  }

  button(step: Step): Locator {
    return this.page.locator(`[data-step="${step}"] button`);
  }

  /** Space, on the page's own clock a moment after the last press: two presses in quick succession are one. */
  async space(): Promise<void> {
    await this.page.clock.fastForward(HASTE_MS);
    await this.page.keyboard.press('Space');
  }

  /** Takes the next step, which has to be this one, by its button. */
  async step(step: Step): Promise<void> {
    await expect(this.button(step)).toBeEnabled();
    await this.page.clock.fastForward(HASTE_MS);
    await this.button(step).click();
  }

  /** Starts the game, also one without players, about which the button asks. */
  async start(): Promise<void> {
    await this.step('start_game');
    await this.goOn('start_game', this.button('release_question'));
    await expect(this.button('release_question')).toBeEnabled();
  }

  /** What the button asks before it takes the step. */
  doubt(): Locator {
    return this.page.locator('[data-doubt]');
  }

  /**
   * Presses the button again where it asks; `after` is what there is when it does not. When the page is sent the first player after the
   * press, the button no longer asks, and takes the step.
   */
  private async goOn(step: Step, after: Locator): Promise<void> {
    await expect(this.doubt().or(after)).toBeVisible();
    if (await this.doubt().isVisible()) await this.step(step);
  }

  /** Releases the next `count` questions of the round. */
  async release(count = 1): Promise<void> {
    for (let each = 0; each < count; each += 1) {
      const asked = Number(await this.page.locator('[data-released]').getAttribute('data-released'));
      await this.step('release_question');
      await expect(this.page.locator('[data-released]')).toHaveAttribute('data-released', String(asked + 1));
    }
  }

  /** The questions that were asked: the latest one, and the others once they are unfolded. */
  openQuestions(): Locator {
    return this.page.locator('[data-asked]');
  }

  /** Opens the list of the questions of the round, in the menu of the question that is shown by itself. */
  async unfold(): Promise<void> {
    await this.ofQuestion('Questions of this round');
    await expect(this.page.locator('[data-question-row]').first()).toBeVisible();
  }

  /** Chooses in the menu of the question that is shown by itself. */
  async ofQuestion(item: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Options for question/ }).first().click();
    await this.page.locator('[data-menu]').getByRole('button', { name: item, exact: true }).click();
  }

  /** Picks a question of the round, by its text, to be asked next. */
  async pick(text: string): Promise<void> {
    if ((await this.page.getByRole('radio').count()) === 0) await this.unfold();
    await this.page.getByRole('radio', { name: text }).check();
  }

  /** Ends the round, early when questions of it are left. */
  async endRound(): Promise<void> {
    await expect(this.button('end_round').or(this.button('release_question'))).toBeVisible();
    if (await this.button('end_round').isVisible()) await this.step('end_round');
    else await this.choose('End the round early');
    await expect(this.button('release_scores')).toBeVisible();
  }

  /** Releases the scores, also while answers are not checked, about which the button asks. */
  async releaseScores(): Promise<void> {
    await this.step('release_scores');
    const each = (['show', 'show_standings', 'start_next_round', 'end_game'] as const).map((step) => this.button(step));
    const after = each.reduce((one, other) => one.or(other));
    await this.goOn('release_scores', after);
    await expect(after).toBeVisible();
  }

  /** Turns the screen to the next picture, this many times. */
  async showNext(times = 1): Promise<void> {
    const panel = this.page.getByRole('region', { name: 'On the screen' });
    for (let each = 0; each < times; each += 1) {
      const at = Number(await panel.getAttribute('data-at'));
      const beside = panel.getByRole('button', { name: 'Next', exact: true });
      await expect(this.button('show').or(beside)).toBeVisible();
      if (await beside.isVisible()) await beside.click();
      else await this.step('show');
      await expect(panel).toHaveAttribute('data-at', String(at + 1));
    }
  }

  /** Skips from the first answer to the standings, or to the empty podium. */
  async skipQuestions(): Promise<void> {
    await this.choose('Skip to the standings');
    await expect(this.page.getByRole('region', { name: 'On the screen' })).not.toHaveAttribute('data-shows', 'question');
  }

  /** Goes on up to the winner on the screen; without one, or between rounds, through all that is left to show. */
  async showWinner(): Promise<void> {
    await this.showAll(this.page.locator('[data-shows=winner]'), this.button('end_game'), this.button('start_next_round'));
  }

  /** Goes through what is left to show, and starts the next round. */
  async nextRound(): Promise<void> {
    await this.showAll(this.button('start_next_round'));
    await this.step('start_next_round');
    await expect(this.button('release_question')).toBeEnabled();
  }

  /** Goes through what is left to show, and ends the game. */
  async endGame(): Promise<void> {
    await this.showAll(this.button('end_game'));
    await this.step('end_game');
    const dialog = this.page.getByRole('dialog', { name: 'End the game?' });
    await this.page.clock.fastForward(HASTE_MS);
    await dialog.getByRole('button', { name: 'End the game' }).click();
    await expect(this.button('end_game')).toBeHidden();
  }

  private async showAll(...until: readonly Locator[]): Promise<void> {
    const end = until.reduce((one, other) => one.or(other)).first();
    const left = this.button('show').or(this.button('show_standings')).or(end).first();
    for (await expect(left).toBeVisible(); !(await end.isVisible()); await expect(left).toBeVisible()) {
      if (await this.button('show').isVisible()) await this.showNext();
      else if (await this.button('show_standings').isVisible()) {
        await this.step('show_standings');
        await expect(this.button('show_standings')).toBeHidden();
      }
    }
  }

  /** Chooses in the menu of the game. */
  async choose(item: string): Promise<void> {
    await this.page.getByRole('button', { name: 'More for this game' }).click();
    await this.page.locator('[data-menu]').getByRole('button', { name: item, exact: true }).click();
  }
}
