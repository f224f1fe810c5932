// Counts the presses of a host. Counted is each click and each key, once. Not counted is typing: the letters of a text, and the Tab between
// two texts of one form. Turning to another window of the machine is not counted either.

import { expect, type Locator, type Page } from '@playwright/test';

import { HASTE_MS } from './steps.ts';

/** One host's hand. Whatever a counted test presses goes through it. */
export class Presses {
  readonly #page: Page;
  /** Each press, by its key or as `click`. */
  readonly all: string[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** The presses that were not Space. */
  get others(): readonly string[] {
    return this.all.filter((press) => press !== 'Space');
  }

  async click(target: Locator): Promise<void> {
    this.all.push('click');
    await target.click();
  }

  /** Presses a key, wherever the focus is; on the page's own clock a moment after the last press. */
  async key(key: string): Promise<void> {
    this.all.push(key);
    await this.#page.clock.fastForward(HASTE_MS);
    await this.#page.keyboard.press(key);
  }

  /** Types into the field that has the focus, which is this one; not counted. */
  async type(text: string, into: Locator): Promise<void> {
    await expect(into).toBeFocused();
    await this.#page.keyboard.type(text);
  }

  /** To the next text of the form; not counted. */
  async tab(): Promise<void> {
    await this.#page.keyboard.press('Tab');
  }
}
