// A guest's phone: one browser context with its own storage, at the play page. Describes what the guest does and sees, in the
// guest's words; only this file knows how the page is built.

import { type Browser, type BrowserContext, expect, type Locator, type Page } from '@playwright/test';

import { comesBackSoon, Watch } from './checks.ts';

/** An ordinary phone, and the smallest supported one. */
const PHONE = { width: 390, height: 844 } as const;
export const SMALL_PHONE = { width: 320, height: 568 } as const;

/** One guest. */
export class Phone {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly watch: Watch;

  private constructor(context: BrowserContext, page: Page, watch: Watch) {
    this.context = context;
    this.page = page;
    this.watch = watch;
  }

  /** Opens the play page of `url` in a context of its own. */
  static async open(
    browser: Browser,
    url: string,
    options: {
      code?: string;
      size?: typeof PHONE | typeof SMALL_PHONE;
      locale?: string;
      dark?: boolean;
      /** Animations as on most phones; tests that check positions switch them off. */
      motion?: boolean;
      /** How far the phone's clock is off, in milliseconds. */
      clockOff?: number;
    } = {},
  ): Promise<Phone> {
    const context = await browser.newContext({
      viewport: options.size ?? PHONE,
      hasTouch: true,
      isMobile: true,
      locale: options.locale ?? 'en-GB',
      colorScheme: options.dark === true ? 'dark' : 'light',
      reducedMotion: options.motion === true ? 'no-preference' : 'reduce',
    });
    await comesBackSoon(context);
    if (options.clockOff !== undefined) await context.addInitScript(setClock, options.clockOff);
    const watch = new Watch(context);
    const page = await context.newPage();
    await page.goto(options.code ? `${url}/?code=${options.code}` : `${url}/`);
    return new Phone(context, page, watch);
  }

  /** Opens the page and takes a seat. */
  static async join(
    browser: Browser,
    url: string,
    code: string,
    name: string,
    options: Parameters<typeof Phone.open>[2] = {},
  ): Promise<Phone> {
    const phone = await Phone.open(browser, url, { ...options, code });
    await phone.sit(name);
    return phone;
  }

  /** Fills in the name; the code is known from the link. */
  async sit(name: string): Promise<void> {
    await this.page.getByLabel('Your name').fill(name);
    await this.page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(this.page.getByLabel('Your name')).toBeHidden();
  }

  /** Starts a team, in a game that has teams. */
  async startTeam(name: string): Promise<void> {
    await this.page.getByRole('radio', { name: 'Start a team' }).check();
    await this.page.getByLabel('Team name').fill(name);
    await this.page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(this.page.getByLabel('Team name')).toBeHidden();
  }

  /** The code of this phone's team, in the lobby. */
  async teamCode(): Promise<string> {
    return this.page.getByTestId('team').locator('.code').innerText();
  }

  /** The card of a question, by its place in the round. */
  question(number: number): Locator {
    return this.page.locator(`article[data-question="${String(number)}"]`);
  }

  /** Types an answer and sends it. */
  async write(number: number, answer: string): Promise<void> {
    const card = this.question(number);
    await card.getByRole('textbox').fill(answer);
    await card.getByRole('button', { name: 'Send' }).click();
  }

  /** Taps a choice. */
  async choose(number: number, choice: string): Promise<void> {
    await this.question(number).getByText(choice, { exact: true }).click();
  }

  /** The page shows that the answer is stored, which it does only after the server has confirmed it. */
  async hasStored(...numbers: number[]): Promise<void> {
    for (const number of numbers) {
      await expect(this.question(number)).toHaveAttribute('data-state', 'stored');
    }
  }

  async sees(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).first()).toBeVisible();
  }

  /** The text is not visible (any more); a live region for screen readers may still contain it. */
  async seesNoMore(text: string | RegExp): Promise<void> {
    await expect(this.page.getByText(text).and(this.page.locator(':not(.unseen)'))).toHaveCount(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}

/** Runs in the page: sets the clock off by this much. `performance` uses the machine's own clock. */
function setClock(off: number): void {
  const own = Date.now.bind(Date);
  Date.now = () => own() + off;
}
