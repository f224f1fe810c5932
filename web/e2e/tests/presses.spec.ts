// What an evening costs a new host in presses, from the set-up link to the winner of two rounds, and what writing such a quiz costs. What
// counts as a press: support/presses.ts. Waiting for pages, players and answers costs none.

import { type Browser, expect, type Locator, test } from '@playwright/test';

import type { QuizBody, Session } from '../../sdk/src/generated/protocol.ts';
import { HostApi } from '../../sdk/src/hostapi.ts';
import { HOST } from '../support/api.ts';
import { Guests } from '../support/guests.ts';
import { Host } from '../support/host.ts';
import { Phone } from '../support/phone.ts';
import { Presses } from '../support/presses.ts';
import { PROJECTOR } from '../support/screen.ts';
import { Server } from '../support/server.ts';

/** The most presses from the set-up link to the winner, and how many of them may be another key or a click. */
const MOST = { presses: 20, others: 2 } as const;

/** Two rounds, each of this many questions with the answer "yes". */
function quizOf(questions: number): QuizBody {
  const asked = (round: number) => (_: unknown, at: number) => ({
    text: `Round ${String(round)}, question ${String(at + 1)}: yes or no?`,
    type: 'text' as const,
    correctAnswers: ['yes'],
  });
  return {
    title: 'Two rounds',
    rounds: [1, 2].map((round) => ({ title: '', questions: Array.from({ length: questions }, asked(round)) })),
  };
}

/** One evening of a new host on a new server. */
class Evening {
  readonly server: Server;
  readonly host: Host;
  readonly presses: Presses;

  private constructor(server: Server, host: Host) {
    this.server = server;
    this.host = host;
    this.presses = new Presses(host.page);
  }

  /** Opens the set-up link. */
  static async open(browser: Browser): Promise<Evening> {
    const server = await Server.start();
    return new Evening(server, await Host.open(browser, server.setUpLink));
  }

  /** Fills in the form of the set-up link, and sends it. */
  async setUp(): Promise<void> {
    const { page } = this.host;
    await this.presses.type(HOST.name, page.getByLabel('Name'));
    await this.presses.tab();
    await this.presses.type(HOST.password, page.getByLabel('Password', { exact: true }));
    await this.presses.key('Enter');
    await expect(page.getByRole('heading', { name: `Good to see you, ${HOST.name}` })).toBeVisible();
  }

  /** Writes a quiz of two rounds with three questions each; the presses that it took. */
  async write(): Promise<readonly string[]> {
    const { presses } = this;
    const { page } = this.host;
    const before = presses.all.length;
    await presses.click(page.getByRole('button', { name: 'New quiz' }));
    await presses.type('By hand', page.getByLabel('Quiz title'));
    await presses.key('Enter');
    for (const round of [1, 2]) {
      for (const number of [1, 2, 3]) {
        await presses.type(`Round ${String(round)}, question ${String(number)}: yes or no?`, page.getByLabel(`Text of question ${String(number)}`));
        await presses.key('Enter');
        await presses.type('yes', page.getByLabel('Accepted answer 1'));
        if (number < 3) await presses.key('Enter');
      }
      if (round === 1) await presses.click(page.getByRole('button', { name: 'Add round' }));
    }
    await this.host.isSaved();
    await expect(page.getByTestId('question')).toHaveCount(6);
    return presses.all.splice(before);
  }

  /** The quiz comes from elsewhere, so that only playing is counted. */
  async bring(quiz: QuizBody): Promise<void> {
    await (await this.api()).createQuiz(quiz);
    await this.host.page.reload();
  }

  /** The code of the game in the lobby. */
  async code(): Promise<string> {
    const [game] = await (await this.api()).games();
    return game?.gameCode ?? '';
  }

  private async api(): Promise<HostApi> {
    const session = await this.host.page.evaluate(() => localStorage.getItem('quizhall.host'));
    return new HostApi(this.server.url, (JSON.parse(session ?? '') as Session).token);
  }

  /** From home, or from the sheet of the quiz, into the lobby. */
  async openLobby(from: 'home' | 'sheet' = 'home'): Promise<void> {
    const { page } = this.host;
    if (from === 'sheet') await this.presses.click(page.getByRole('button', { name: 'Play', exact: true }));
    else {
      await expect(page.getByRole('button', { name: /^Play/ }).first()).toBeFocused();
      await this.presses.key('Space');
    }
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Open the lobby' })).toBeFocused();
    await this.presses.key('Space');
    await this.host.isConnected();
  }

  /** Takes the next step with Space, until this is there. */
  async goOnUntil(sight: Locator): Promise<void> {
    const step = this.host.page.locator('[data-step]');
    while (this.presses.all.length < 2 * MOST.presses) {
      await expect(step.getByRole('button')).toBeEnabled();
      const label = await step.innerText();
      await this.presses.key('Space');
      await expect(sight.or(step.filter({ hasNotText: label })).first()).toBeVisible();
      if (await sight.isVisible()) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host[Symbol.asyncDispose]();
    await this.server[Symbol.asyncDispose]();
  }
}

/** Three players with different points, who fill the podium: each place is a step on a screen. */
async function players(evening: Evening, quiz: QuizBody): Promise<Guests> {
  const texts = quiz.rounds.flatMap(({ questions }) => questions.map(({ text }) => text));
  const right = (count: number) => Object.fromEntries(texts.map((text, at) => [text, at < count ? 'yes' : 'no']));
  return Guests.join(evening.server.url, await evening.code(), { Ben: right(texts.length), Cleo: right(2), Dora: right(1) });
}

function isWithinLimits({ all, others }: Presses): void {
  const description = `from the set-up link to the winner of two rounds: ${String(all.length)} presses, ${String(others.length)} of them not Space`;
  test.info().annotations.push({ type: 'figures', description });
  expect(others.length, others.join(', ')).toBeLessThanOrEqual(MOST.others);
  expect(all.length, all.join(', ')).toBeLessThanOrEqual(MOST.presses);
}

test('without a TV: a quiz is written with few keys, and played up to the podium on the phones', async ({ browser }) => {
  await using evening = await Evening.open(browser);
  await evening.setUp();
  const written = await evening.write();
  // One for the quiz, one after its title, one after each text, one after each answer but the last of a round, one for the second round.
  expect(written.length, written.join(', ')).toBeLessThanOrEqual(13);
  await evening.openLobby('sheet');
  await using _ = await players(evening, quizOf(3));
  await using phone = await Phone.open(browser, evening.server.url, { code: await evening.code() });
  await phone.startTeam('Ann');
  const { presses, host } = evening;
  await evening.goOnUntil(host.page.getByRole('dialog', { name: 'End the game?' }));
  await presses.key('Space');
  await expect(phone.page.locator('.rank1').getByText('Ben')).toBeVisible();
  isWithinLimits(presses);
  host.watch.verify();
});

test('with a TV, opened on this machine: up to the winner on it', async ({ browser }) => {
  await using evening = await Evening.open(browser);
  await evening.setUp();
  const quiz = quizOf(2);
  await evening.bring(quiz);
  await evening.openLobby();
  const { presses, host } = evening;
  const opened = host.context.waitForEvent('page');
  await presses.click(host.page.getByRole('link', { name: 'Open on this machine' }));
  const tv = await opened;
  await tv.setViewportSize(PROJECTOR);
  await host.page.bringToFront();
  await using _ = await players(evening, quiz);
  await evening.goOnUntil(host.page.locator('[data-shows=winner]'));
  await expect(tv.getByRole('heading', { name: 'Ben' })).toBeVisible();
  isWithinLimits(presses);
  host.watch.verify();
});
