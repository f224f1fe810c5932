// The host's laptop: signs in, writes quizzes, looks after players and marks. Describes what the host does; only this file and steps.ts know
// how the pages are built.

import { type Browser, type BrowserContext, type Download, expect, type Locator, type Page } from '@playwright/test';

import type { Session } from '../../sdk/src/generated/protocol.ts';
import { HOST } from './api.ts';
import { comesBackSoon, Watch } from './checks.ts';
import { Steps } from './steps.ts';

export const LAPTOP = { width: 1440, height: 900 } as const;

/** The first page of the context finds a session in its storage; later pages find what is left there. */
async function signedIn(context: BrowserContext, { token, expiresAt, host: { name } }: Session): Promise<void> {
  await context.addInitScript(
    (kept) => {
      if (!location.protocol.startsWith('http') || localStorage.getItem('e2e.prepared')) return;
      localStorage.setItem('quizhall.host', kept);
      localStorage.setItem('e2e.prepared', 'yes');
    },
    JSON.stringify({ token, name, expiresAt }),
  );
}

/** One host. */
export class Host extends Steps {
  readonly context: BrowserContext;
  readonly watch: Watch;

  private constructor(context: BrowserContext, page: Page, watch: Watch) {
    super(page);
    this.context = context;
    this.watch = watch;
  }

  /** Opens a page of the host, signed out unless there is a session. */
  static async open(
    browser: Browser,
    url: string,
    options: { dark?: boolean; locale?: string; session?: Session } = {},
  ): Promise<Host> {
    const context = await browser.newContext({
      viewport: LAPTOP,
      locale: options.locale ?? 'en-GB',
      colorScheme: options.dark === true ? 'dark' : 'light',
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    if (options.session) await signedIn(context, options.session);
    await context.clock.install();
    await comesBackSoon(context);
    const watch = new Watch(context);
    const page = await context.newPage();
    await page.goto(url);
    return new Host(context, page, watch);
  }

  /** Opens the page of a game; signs in with the form if there is no session. */
  static async at(browser: Browser, url: string, gameId: string, options: Parameters<typeof Host.open>[2] = {}) {
    const host = await Host.open(browser, `${url}/host/games/${gameId}`, options);
    if (!options.session) await host.signIn();
    await host.isConnected();
    return host;
  }

  async signIn(): Promise<void> {
    // Works in any language of the page.
    await this.page.locator('input[autocomplete=username]').fill(HOST.name);
    await this.page.locator('input[autocomplete=current-password]').fill(HOST.password);
    await this.page.locator('form button[type=submit]').click();
  }

  /** From the home page into the editor. */
  async openQuiz(title: string): Promise<void> {
    await this.page.locator('a[href^="/host/quizzes/"]').filter({ hasText: title }).click();
  }

  /** In the start dialogue, after a Play button: opens the lobby with the options that are chosen. */
  async openLobby(): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name: 'Open the lobby' }).click();
    await this.isConnected();
  }

  /** Everything in the editor is stored on the server. */
  async isSaved(options: { timeout?: number } = {}): Promise<void> {
    await expect(this.page.getByTestId('save-state')).toHaveAttribute('data-state', 'saved', options);
  }

  /** Opens the settings of a round of the open quiz (from 1), or those of the quiz. */
  async settings(round?: number): Promise<Locator> {
    const name = round === undefined ? 'Settings of the quiz' : `Settings of round ${String(round)}`;
    await this.page.getByRole('button', { name }).click();
    return this.page.getByRole('dialog', { name });
  }

  /** On the page of the results: downloads one of the files. */
  async downloads(file: string): Promise<Download> {
    const coming = this.page.waitForEvent('download');
    await this.page.getByRole('button', { name: 'Download' }).click();
    await this.page.getByRole('button', { name: file, exact: true }).click();
    return coming;
  }

  /** Opens the line of a question of the open quiz. */
  async openQuestion(text: string): Promise<void> {
    await this.page.locator('[data-part=line]').filter({ hasText: text }).click();
  }

  /** Opens the drawer of the players, of the screens or of the clock, from its chip in the head. */
  async open(chip: 'players' | 'screens' | 'clock'): Promise<Locator> {
    const name = { players: /^\d[\d,]* (player|team)s?(,|$)/, screens: /^(No screen|\d+ screens?, sound (on|off))$/, clock: /Time left|Break|Autopilot/ }[chip];
    await this.page.getByRole('group', { name: 'Game tools' }).getByRole('button', { name }).click();
    const drawer = this.page.getByRole('dialog');
    await expect(drawer).toBeVisible();
    return drawer;
  }

  /** Closes the drawer or the dialog that is open. */
  async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.page.getByRole('dialog')).toHaveCount(0);
  }

  /** Opens the dialogue of this name about a player. */
  async ask(name: string, item: string): Promise<Locator> {
    const more = this.page.getByRole('button', { name: `More options for ${name}` });
    if (!(await more.isVisible())) await this.open('players');
    await more.click();
    await this.page.locator('[data-menu]').getByRole('button', { name: item, exact: true }).click();
    return this.page.getByRole('dialog').last();
  }

  /** Gives an open question this time, by its name in the list, or the one that is asked. */
  async setTime(seconds: number, question?: string): Promise<void> {
    await this.choose('Timers and autopilot');
    const timers = this.page.getByRole('region', { name: 'Timers' });
    if (question !== undefined) await timers.getByLabel('For').selectOption({ label: question });
    await timers.getByRole('textbox', { name: 'Seconds' }).fill(String(seconds));
    await timers.getByRole('button', { name: 'Set', exact: true }).click();
    await this.close();
  }

  /** Gives a seat to a player or a team on paper, from the lobby or from the list of players. */
  async seat(name: string): Promise<void> {
    const add = this.page.getByRole('button', { name: /^Add a (player|team) on paper$/ });
    if (!(await add.isVisible())) await this.open('players');
    await add.click();
    const dialog = this.page.getByRole('dialog', { name: /^Add a (player|team) on paper$/ });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  }

  /** Opens the sheets of the teams on paper. */
  async paper(): Promise<Locator> {
    await this.open('players');
    await this.page.getByRole('button', { name: /^Enter answers on paper/ }).click();
    return this.page.getByRole('dialog', { name: 'Answers on paper' });
  }

  /** Removes a player for good. */
  async remove(name: string, { ban = false } = {}): Promise<void> {
    const verb = ban ? 'Remove and ban' : 'Remove';
    await this.ask(name, verb);
    await this.page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click();
    await expect(this.page.getByRole('button', { name: `More options for ${name}` })).toBeHidden();
    await this.close();
  }

  /** Invites a co-host; resolves to the link. */
  async invite(name: string, role: 'Host' | 'Marker' | 'Moderator'): Promise<string> {
    const dialog = await this.coHosts();
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
    await dialog.getByRole('button', { name: 'Make link' }).click();
    const link = await dialog.getByTestId('invitation').locator('code').innerText();
    await this.page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    return link;
  }

  /** Opens the dialog of the co-hosts. */
  async coHosts(): Promise<Locator> {
    await this.choose('Co-hosts');
    return this.page.getByRole('dialog', { name: 'Co-hosts' });
  }

  /** Removes a co-host. */
  async removeCoHost(name: string): Promise<void> {
    const dialog = await this.coHosts();
    await dialog.getByRole('button', { name: new RegExp(`^Remove .?${name}`) }).click();
    await dialog.getByRole('button', { name: new RegExp(`^Yes, remove .?${name}`) }).click();
    await expect(dialog.getByRole('status')).toContainText('can’t open the game any more');
    await this.page.keyboard.press('Escape');
  }

  /** Locks joining, or unlocks it. */
  async lock(locked: boolean): Promise<void> {
    const lock = this.page.getByRole('button', { name: /^(Lock|Unlock) joining$/ });
    const isInLobby = (await this.page.locator('[data-phase]').getAttribute('data-phase')) === 'lobby';
    if (!isInLobby) await this.page.getByRole('button', { name: /^Show code/ }).click();
    await lock.click();
    if (!isInLobby) await this.close();
    await this.isLocked(locked);
  }

  /** Whether joining is locked, as the sign at the code says. */
  async isLocked(locked: boolean): Promise<void> {
    const inLobby = this.page.getByRole('button', { name: 'Lock joining', pressed: locked });
    const code = this.page.getByRole('group', { name: 'Game tools' }).getByRole('button', { name: locked ? /^Show code.*joining is locked$/ : /^Show code((?!locked).)*$/ });
    await expect(inLobby.or(code)).toBeVisible();
  }

  /** Puts a question of the closed round on top of the marking desk, by its number on the phones. */
  async layOut(number: number): Promise<void> {
    await this.page.getByRole('tab').nth(number - 1).click();
    await expect(this.page.getByRole('tab').nth(number - 1)).toHaveAttribute('aria-selected', 'true');
  }

  /** The row of an answer on the marking desk. */
  group(answer: string): Locator {
    const marks = this.page.getByRole('group', { name: `Mark “${answer}”` });
    return this.page.getByRole('tabpanel').getByRole('listitem').filter({ has: marks });
  }

  /** Marks all players who gave this answer. */
  async mark(answer: string, as: 'Right' | 'Wrong'): Promise<void> {
    await this.group(answer).getByRole('button', { name: as, exact: true }).click();
    await this.isMarked(answer, as);
  }

  async isMarked(answer: string, as: 'Right' | 'Wrong'): Promise<void> {
    const pressed = this.group(answer).getByRole('button', { name: as, exact: true });
    await expect(pressed).toHaveAttribute('aria-pressed', 'true');
  }

  /** A near miss counts as wrong, and no mark looks decided before the host has decided. */
  async isUndecided(answer: string): Promise<void> {
    const row = this.group(answer);
    await expect(row).toBeVisible();
    await expect(row.getByRole('group', { name: `Mark “${answer}”` }).getByRole('button', { pressed: true })).toHaveCount(0);
  }

  async undo(): Promise<void> {
    await this.page.getByRole('button', { name: /^Undo/ }).click();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }
}
